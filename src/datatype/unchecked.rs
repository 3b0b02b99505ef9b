//! Memory in the shape of a type, whose fields have not been checked.
#![allow(unsafe_code)]

use super::{AnyBits, Datatype, FromBits, Parts, RawDatatype};
use std::mem::MaybeUninit;

/// What a peer sent as a `T`, before it is checked.
///
/// Where MPI writes it is initialized: safe code cannot make one, and this crate makes it of zeros or lets MPI fill it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Unchecked<T: Copy>(MaybeUninit<T>);

// SAFETY: the layout of `T`; what MPI reads is initialized, as stated above; a `Copy` type has no `UnsafeCell`.
unsafe impl<T: Datatype> Datatype for Unchecked<T> {
    const PARTS: Parts = T::PARTS;
    const UNITS: usize = T::UNITS;
    #[inline(always)]
    fn unit() -> RawDatatype {
        T::unit()
    }
}
// SAFETY: any bits are a `MaybeUninit`.
unsafe impl<T: Datatype> FromBits for Unchecked<T> {
    type Bits = Self;
    #[inline(always)]
    fn valid(_: &Self) -> bool {
        true
    }
}
// SAFETY: any bits are a `MaybeUninit`.
unsafe impl<T: Datatype> AnyBits for Unchecked<T> {}

impl<T: Copy> Unchecked<T> {
    /// Whether a field is a value of its type.
    ///
    /// # Safety
    /// At `offset` a `T` has a field of type `F`, which travels.
    #[inline(always)]
    pub unsafe fn is_valid<F: FromBits>(&self, offset: usize) -> bool {
        // SAFETY: this function's contract.
        F::valid(&unsafe { self.field::<F>(offset) })
    }

    /// Gives what does not travel of a field its default.
    ///
    /// # Safety
    /// As [`is_valid`](Unchecked::is_valid).
    #[inline(always)]
    pub unsafe fn complete<F: FromBits>(&mut self, offset: usize) {
        // SAFETY: this function's contract.
        let mut bits = unsafe { self.field::<F>(offset) };
        F::complete(&mut bits);
        // SAFETY: this function's contract.
        unsafe { self.put(offset, bits) };
    }

    /// Writes a field.
    ///
    /// # Safety
    /// At `offset` a `T` has a field of the size of `F`.
    #[inline(always)]
    pub unsafe fn put<F>(&mut self, offset: usize, value: F) {
        let place = self.0.as_mut_ptr().wrapping_byte_add(offset).cast::<F>();
        // SAFETY: inside `self`, by this function's contract; in a packed `T` it may not be aligned.
        unsafe { place.write_unaligned(value) }
    }

    /// # Safety
    /// As [`is_valid`](Unchecked::is_valid).
    #[inline(always)]
    unsafe fn field<F: FromBits>(&self, offset: usize) -> F::Bits {
        let place = self.0.as_ptr().wrapping_byte_add(offset).cast::<F::Bits>();
        // SAFETY: inside `self`, by this function's contract; what travels was initialized, and any bits are an
        // `F::Bits`.
        unsafe { place.read_unaligned() }
    }
}
