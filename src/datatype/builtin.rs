//! The types the standard names for C, and what Rust has besides.

use super::parts::{Parts, Primitive};
use super::{Agreed, AnyBits, Datatype, FromBits, RawDatatype, Scalar};
use std::marker::PhantomData;
use std::num::NonZero;

macro_rules! sendable {
    ($($t:ty = $units:literal of $primitive:ident;)+) => { $(
        // SAFETY: a primitive without padding or interior mutability, of the size of `UNITS` MPI elements
        // (asserted below).
        unsafe impl Datatype for $t {
            const PARTS: Parts = Parts::primitive(Primitive::$primitive, $units);
            const UNITS: usize = $units;
            #[inline]
            fn unit() -> RawDatatype {
                Primitive::$primitive.raw()
            }
        }
        // SAFETY: not an array, slice or vector.
        unsafe impl Scalar for $t {}
    )+ };
}
macro_rules! any_bits {
    ($($t:ty),+) => { $(
        // SAFETY: the same type, and every bit pattern is valid.
        unsafe impl FromBits for $t {
            type Bits = $t;
            #[inline(always)]
            fn valid(_: &$t) -> bool {
                true
            }
        }
        // SAFETY: a number: every bit pattern is a value, and there is no padding.
        unsafe impl AnyBits for $t {}
    )+ };
}

sendable! {
    i8 = 1 of Int8;
    i16 = 1 of Int16;
    i32 = 1 of Int32;
    i64 = 1 of Int64;
    u8 = 1 of Uint8;
    u16 = 1 of Uint16;
    u32 = 1 of Uint32;
    u64 = 1 of Uint64;
    f32 = 1 of Float;
    f64 = 1 of Double;
    bool = 1 of Bool;
    char = 1 of Uint32;
    // The standard has no 128-bit integers: they travel as bytes, between machines of one byte order.
    i128 = 16 of Byte;
    u128 = 16 of Byte;
    () = 0 of Byte;
}
any_bits! { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, i128, u128, isize, usize, () }

#[cfg(target_pointer_width = "64")]
sendable! {
    isize = 1 of Int64;
    usize = 1 of Uint64;
}
#[cfg(target_pointer_width = "32")]
sendable! {
    isize = 1 of Int32;
    usize = 1 of Uint32;
}

macro_rules! checked {
    ($($t:ty as $bits:ty: |$b:ident| $valid:expr;)+) => { $(
        // SAFETY: same size and alignment (asserted below), and the check is the type's validity.
        unsafe impl FromBits for $t {
            type Bits = $bits;
            #[inline]
            fn valid($b: &$bits) -> bool {
                $valid
            }
        }
        const _: () = assert!(size_of::<$t>() == size_of::<$bits>() && align_of::<$t>() == align_of::<$bits>());
    )+ };
}
checked! {
    bool as u8: |bits| *bits <= 1;
    char as u32: |bits| char::from_u32(*bits).is_some();
}

macro_rules! non_zero {
    ($($t:ty)+) => { $(
        // SAFETY: `NonZero<T>` has the layout of `T`, and less values.
        unsafe impl Datatype for NonZero<$t> {
            const PARTS: Parts = <$t as Datatype>::PARTS;
            const UNITS: usize = <$t as Datatype>::UNITS;
            #[inline]
            fn unit() -> RawDatatype {
                <$t as Datatype>::unit()
            }
        }
        // SAFETY: not an array, slice or vector.
        unsafe impl Scalar for NonZero<$t> {}
        checked! { NonZero<$t> as $t: |bits| *bits != 0; }
    )+ };
}
non_zero! { i8 i16 i32 i64 u8 u16 u32 u64 i128 u128 isize usize }

// SAFETY: N values one after the other, without padding between them; N * UNITS <= N * size_of::<T>().
unsafe impl<T: Datatype, const N: usize> Datatype for [T; N] {
    const PARTS: Parts = T::PARTS.array(N);
    const UNITS: usize = N * T::UNITS;
    #[inline]
    fn unit() -> RawDatatype {
        T::unit()
    }
}
// SAFETY: element-wise.
unsafe impl<T: FromBits, const N: usize> FromBits for [T; N] {
    type Bits = [T::Bits; N];
    const AGREES: Agreed<Self> = {
        T::AGREES.see();
        Agreed::underived()
    };
    #[inline(always)]
    fn valid(bits: &[T::Bits; N]) -> bool {
        bits.iter().all(T::valid)
    }
    #[inline(always)]
    fn complete(bits: &mut [T::Bits; N]) {
        bits.iter_mut().for_each(T::complete);
    }
}
// SAFETY: element-wise.
unsafe impl<T: AnyBits, const N: usize> AnyBits for [T; N] {}

// SAFETY: no bytes.
unsafe impl<T: 'static> Datatype for PhantomData<T> {
    const PARTS: Parts = Parts::primitive(Primitive::Byte, 0);
    const UNITS: usize = 0;
    #[inline]
    fn unit() -> RawDatatype {
        Primitive::Byte.raw()
    }
}
// SAFETY: not an array, slice or vector.
unsafe impl<T: 'static> Scalar for PhantomData<T> {}
// SAFETY: the same type, of one value.
unsafe impl<T: 'static> FromBits for PhantomData<T> {
    type Bits = Self;
    #[inline(always)]
    fn valid(_: &Self) -> bool {
        true
    }
}
// SAFETY: no bytes, one value.
unsafe impl<T: 'static> AnyBits for PhantomData<T> {}

const _: () = {
    assert!(
        size_of::<bool>() == 1 && size_of::<char>() == 4 && size_of::<f32>() == 4 && size_of::<f64>() == 8
    );
    assert!(size_of::<i128>() == 16);
};

#[cfg(feature = "num-complex")]
mod complex {
    use super::{AnyBits, Datatype, FromBits, Parts, Primitive, RawDatatype, Scalar};
    use num_complex::Complex;

    sendable! {
        Complex<f32> = 1 of ComplexFloat;
        Complex<f64> = 1 of ComplexDouble;
    }
    // A real and an imaginary part of one type (`repr(C)`): no padding.
    any_bits! { Complex<f32>, Complex<f64> }
}
