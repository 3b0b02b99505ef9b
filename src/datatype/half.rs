//! 16-bit floating-point numbers of the crate `half`, which travel as 16-bit integers.
//!
//! The standard has no types for them, so that no library can add them up: reductions are not offered.

use super::{AnyBits, Datatype, RawDatatype, Scalar};
use crate::ffi;
use half::{bf16, f16};

macro_rules! sixteen_bits {
    ($($t:ty)+) => { $(
        // SAFETY: a transparent `u16`, without padding or interior mutability.
        unsafe impl Datatype for $t {
            const UNITS: usize = 1;
            #[inline]
            fn unit() -> RawDatatype {
                RawDatatype(ffi::MPI_UINT16_T)
            }
        }
        // SAFETY: not an array, slice or vector.
        unsafe impl Scalar for $t {}
        // SAFETY: every bit pattern is a number, an infinity or a NaN.
        unsafe impl AnyBits for $t {}
        const _: () = assert!(size_of::<$t>() == 2);
    )+ };
}
sixteen_bits! { f16 bf16 }
