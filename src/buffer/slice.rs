//! Values, slices, arrays and vectors as buffers.

use super::zeroed::{from_bits, vec_from_bits, zeroed, zeroed_vec};
use super::{RecvBuf, RecvSlice, Region, SameShape, SendBuf, SendSlice};
use crate::datatype::{AnyBits, Datatype, FromBits, Scalar};
use crate::error::Result;
use std::ptr::NonNull;

// ---- one value ----

// SAFETY: a borrowed value; by `Datatype` MPI reads no padding, and there is no `UnsafeCell`.
unsafe impl<T: Scalar> SendBuf for T {
    type Elem = T;
    #[inline(always)]
    fn region(&self) -> Result<Region> {
        Ok(Region::contiguous::<T>(self, 1))
    }
}
// SAFETY: one element.
unsafe impl<T: Scalar> SendSlice for T {}
// SAFETY: one element.
unsafe impl<T: Scalar + FromBits> SameShape for T {
    type Owned = T;
    type Bits = T::Bits;
    #[inline(always)]
    fn zeroed(&self) -> T::Bits {
        zeroed()
    }
    #[inline(always)]
    fn bits_region(bits: &mut T::Bits) -> Region {
        Region::contiguous::<T>((&raw mut *bits).cast(), 1)
    }
    #[inline(always)]
    fn check(bits: T::Bits) -> Result<T, usize> {
        from_bits(bits).ok_or(0)
    }
}
// SAFETY: an exclusively borrowed value that any bits may be written to.
unsafe impl<T: Scalar + AnyBits> RecvBuf for T {
    type Elem = T;
    type Filled<'a> = &'a mut T;
    #[inline(always)]
    fn region(&mut self) -> Result<Region> {
        Ok(Region::contiguous::<T>(&raw mut *self, 1))
    }
    #[inline(always)]
    unsafe fn filled<'a>(mut this: NonNull<T>, _: usize) -> &'a mut T {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        unsafe { this.as_mut() }
    }
}
// SAFETY: one initialized element.
unsafe impl<T: Scalar + AnyBits> RecvSlice for T {}

// ---- slices ----

// SAFETY: as for a value, element-wise.
unsafe impl<T: Datatype> SendBuf for [T] {
    type Elem = T;
    #[inline(always)]
    fn region(&self) -> Result<Region> {
        Ok(Region::contiguous(self.as_ptr(), self.len()))
    }
}
// SAFETY: a slice is contiguous.
unsafe impl<T: Datatype> SendSlice for [T] {}
// SAFETY: as many elements as the slice has.
unsafe impl<T: FromBits> SameShape for [T] {
    type Owned = Vec<T>;
    type Bits = Vec<T::Bits>;
    fn zeroed(&self) -> Vec<T::Bits> {
        zeroed_vec(self.len())
    }
    #[inline(always)]
    fn bits_region(bits: &mut Vec<T::Bits>) -> Region {
        Region::contiguous::<T>(bits.as_mut_ptr().cast(), bits.len())
    }
    #[inline(always)]
    fn check(bits: Vec<T::Bits>) -> Result<Vec<T>, usize> {
        vec_from_bits(bits)
    }
}
// SAFETY: an exclusively borrowed slice of values that any bits may be written to.
unsafe impl<T: AnyBits> RecvBuf for [T] {
    type Elem = T;
    type Filled<'a> = &'a mut [T];
    #[inline(always)]
    fn region(&mut self) -> Result<Region> {
        Ok(Region::contiguous(self.as_mut_ptr(), self.len()))
    }
    #[inline(always)]
    unsafe fn filled<'a>(mut this: NonNull<[T]>, _: usize) -> &'a mut [T] {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        unsafe { this.as_mut() }
    }
}
// SAFETY: contiguous and initialized.
unsafe impl<T: AnyBits> RecvSlice for [T] {}

// ---- arrays: N elements, like a slice ----

// SAFETY: as for the slice.
unsafe impl<T: Datatype, const N: usize> SendBuf for [T; N] {
    type Elem = T;
    #[inline(always)]
    fn region(&self) -> Result<Region> {
        self.as_slice().region()
    }
}
// SAFETY: as for the slice.
unsafe impl<T: Datatype, const N: usize> SendSlice for [T; N] {}
// SAFETY: N elements.
unsafe impl<T: FromBits, const N: usize> SameShape for [T; N] {
    type Owned = [T; N];
    type Bits = [T::Bits; N];
    #[inline(always)]
    fn zeroed(&self) -> [T::Bits; N] {
        zeroed()
    }
    #[inline(always)]
    fn bits_region(bits: &mut [T::Bits; N]) -> Region {
        Region::contiguous::<T>(bits.as_mut_ptr().cast(), N)
    }
    #[inline(always)]
    fn check(mut bits: [T::Bits; N]) -> Result<[T; N], usize> {
        bits.iter_mut().for_each(T::complete);
        match bits.iter().position(|b| !T::valid(b)) {
            Some(index) => Err(index),
            None => Ok(bits.map(|b| from_bits(b).expect("valid a line above"))),
        }
    }
}
// SAFETY: as for the slice.
unsafe impl<T: AnyBits, const N: usize> RecvBuf for [T; N] {
    type Elem = T;
    type Filled<'a> = &'a mut [T; N];
    #[inline(always)]
    fn region(&mut self) -> Result<Region> {
        RecvBuf::region(self.as_mut_slice())
    }
    #[inline(always)]
    unsafe fn filled<'a>(mut this: NonNull<[T; N]>, _: usize) -> &'a mut [T; N] {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        unsafe { this.as_mut() }
    }
}
// SAFETY: as for the slice.
unsafe impl<T: AnyBits, const N: usize> RecvSlice for [T; N] {}

// ---- vectors: as long as they are ----

// SAFETY: as for the slice; the vector is borrowed, so it cannot reallocate.
unsafe impl<T: Datatype> SendBuf for Vec<T> {
    type Elem = T;
    #[inline(always)]
    fn region(&self) -> Result<Region> {
        self.as_slice().region()
    }
}
// SAFETY: as for the slice.
unsafe impl<T: Datatype> SendSlice for Vec<T> {}
// SAFETY: as for the slice.
unsafe impl<T: FromBits> SameShape for Vec<T> {
    type Owned = Vec<T>;
    type Bits = Vec<T::Bits>;
    fn zeroed(&self) -> Vec<T::Bits> {
        self.as_slice().zeroed()
    }
    #[inline(always)]
    fn bits_region(bits: &mut Vec<T::Bits>) -> Region {
        <[T]>::bits_region(bits)
    }
    #[inline(always)]
    fn check(bits: Vec<T::Bits>) -> Result<Vec<T>, usize> {
        vec_from_bits(bits)
    }
}
// SAFETY: as for the slice; the vector is borrowed, so it cannot reallocate.
unsafe impl<T: AnyBits> RecvBuf for Vec<T> {
    type Elem = T;
    type Filled<'a> = &'a mut [T];
    #[inline(always)]
    fn region(&mut self) -> Result<Region> {
        Ok(Region::contiguous(self.as_mut_ptr(), self.len()))
    }
    #[inline(always)]
    unsafe fn filled<'a>(mut this: NonNull<Vec<T>>, _: usize) -> &'a mut [T] {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        unsafe { this.as_mut() }
    }
}
// SAFETY: as for the slice.
unsafe impl<T: AnyBits> RecvSlice for Vec<T> {}
