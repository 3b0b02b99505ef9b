//! The types the standard names for C, and what Rust has besides.

use super::{AnyBits, Datatype, FromBits, RawDatatype, Scalar};
use crate::ffi;
use std::num::NonZero;

macro_rules! sendable {
    ($($t:ty = $units:literal of $mpi:ident;)+) => { $(
        // SAFETY: a primitive without padding or interior mutability, of the size of `UNITS` MPI elements
        // (asserted below).
        unsafe impl Datatype for $t {
            const UNITS: usize = $units;
            #[inline]
            fn unit() -> RawDatatype {
                RawDatatype(ffi::$mpi)
            }
        }
        // SAFETY: not an array, slice or vector.
        unsafe impl Scalar for $t {}
    )+ };
}
macro_rules! any_bits {
    ($($t:ty),+) => { $(
        // SAFETY: a number: every bit pattern is a value, and there is no padding.
        unsafe impl AnyBits for $t {}
    )+ };
}

sendable! {
    i8 = 1 of MPI_INT8_T;
    i16 = 1 of MPI_INT16_T;
    i32 = 1 of MPI_INT32_T;
    i64 = 1 of MPI_INT64_T;
    u8 = 1 of MPI_UINT8_T;
    u16 = 1 of MPI_UINT16_T;
    u32 = 1 of MPI_UINT32_T;
    u64 = 1 of MPI_UINT64_T;
    f32 = 1 of MPI_FLOAT;
    f64 = 1 of MPI_DOUBLE;
    bool = 1 of MPI_C_BOOL;
    char = 1 of MPI_UINT32_T;
    // The standard has no 128-bit integers: they travel as bytes, between machines of one byte order.
    i128 = 16 of MPI_BYTE;
    u128 = 16 of MPI_BYTE;
    () = 0 of MPI_BYTE;
}
any_bits! { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, i128, u128, isize, usize, () }

#[cfg(target_pointer_width = "64")]
sendable! {
    isize = 1 of MPI_INT64_T;
    usize = 1 of MPI_UINT64_T;
}
#[cfg(target_pointer_width = "32")]
sendable! {
    isize = 1 of MPI_INT32_T;
    usize = 1 of MPI_UINT32_T;
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
    const UNITS: usize = N * T::UNITS;
    #[inline]
    fn unit() -> RawDatatype {
        T::unit()
    }
}
// SAFETY: element-wise.
unsafe impl<T: AnyBits, const N: usize> AnyBits for [T; N] {}

const _: () = {
    assert!(
        size_of::<bool>() == 1 && size_of::<char>() == 4 && size_of::<f32>() == 4 && size_of::<f64>() == 8
    );
    assert!(size_of::<i128>() == 16);
};

#[cfg(feature = "num-complex")]
mod complex {
    use super::{AnyBits, Datatype, RawDatatype, Scalar, ffi};
    use num_complex::Complex;

    sendable! {
        Complex<f32> = 1 of MPI_C_FLOAT_COMPLEX;
        Complex<f64> = 1 of MPI_C_DOUBLE_COMPLEX;
    }
    // A real and an imaginary part of one type (`repr(C)`): no padding.
    any_bits! { Complex<f32>, Complex<f64> }
}
