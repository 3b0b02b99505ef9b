//! 16-bit floating-point numbers of the crate `half`, which travel as 16-bit integers.
//!
//! The standard has no types for them, so that no library can add them up: reductions are not offered.

use super::parts::{Parts, Primitive};
use super::{AnyBits, Datatype, FromBits, RawDatatype, Scalar};
use half::{bf16, f16};

macro_rules! sixteen_bits {
    ($($t:ty)+) => { $(
        // SAFETY: a transparent `u16`, without padding or interior mutability.
        unsafe impl Datatype for $t {
            const PARTS: Parts = Parts::primitive(Primitive::Uint16, 1);
            const UNITS: usize = 1;
            #[inline]
            fn unit() -> RawDatatype {
                Primitive::Uint16.raw()
            }
        }
        // SAFETY: not an array, slice or vector.
        unsafe impl Scalar for $t {}
        // SAFETY: the same type, and every bit pattern is valid.
        unsafe impl FromBits for $t {
            type Bits = $t;
            #[inline(always)]
            fn valid(_: &$t) -> bool {
                true
            }
        }
        // SAFETY: every bit pattern is a number, an infinity or a NaN.
        unsafe impl AnyBits for $t {}
        const _: () = assert!(size_of::<$t>() == 2);
    )+ };
}
sixteen_bits! { f16 bf16 }
