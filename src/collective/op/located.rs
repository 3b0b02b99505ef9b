//! The smallest or largest value of all, and where it is: `MPI_MINLOC`, `MPI_MAXLOC` (MPI 4.1 §6.9.4).
//!
//! MPI has them for six pairs of C types, some with padding. Operations of our own do for every ordered type.
#![allow(unsafe_code)]

use super::own::{each, made};
use super::{Operation, Ordered, RawOp, sealed};
use crate::datatype::{AnyBits, Datatype, FromBits, Parts, Primitive, RawDatatype, Scalar};
use crate::error::Result;
use crate::ffi::{self, MPI_Datatype};
use std::cmp::Ordering;
use std::fmt;
use std::os::raw::{c_int, c_void};

/// A value and where it is: its rank, or whatever number finds it again.
///
/// ```no_run
/// use mpi::op::{Located, MinLoc};
/// # let world = mpi::init()?;
/// let error = 0.25 + world.rank() as f64;
/// let best = world.allreduce(&Located::new(error, world.rank()), MinLoc)?;
/// println!("rank {} has the least error, {}", best.index(), best.value());
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Located<T> {
    value: T,
    /// Bytes, so that there is no padding after a small value, nor at the end.
    index: [u8; 8],
}

impl<T: Copy> Located<T> {
    /// A value, and where it is.
    #[inline]
    pub fn new(value: T, index: usize) -> Self {
        Located { value, index: (index as u64).to_ne_bytes() }
    }

    /// The value.
    #[inline]
    pub fn value(self) -> T {
        self.value
    }

    /// Where it is.
    #[inline]
    pub fn index(self) -> usize {
        u64::from_ne_bytes(self.index) as usize
    }
}

impl<T: fmt::Debug + Copy> fmt::Debug for Located<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Located").field("value", &self.value).field("index", &self.index()).finish()
    }
}

// SAFETY: a number and eight bytes, without padding (asserted); `UNITS` bytes in all.
unsafe impl<T: Ordered + Scalar + AnyBits> Datatype for Located<T> {
    const PARTS: Parts = Parts::primitive(Primitive::Byte, Self::UNITS);
    const UNITS: usize = {
        assert!(size_of::<Self>() == size_of::<T>() + 8);
        size_of::<Self>()
    };
    #[inline]
    fn unit() -> RawDatatype {
        RawDatatype(ffi::MPI_BYTE)
    }
}
// SAFETY: the same type, and every bit pattern is valid.
unsafe impl<T: Ordered + Scalar + AnyBits> FromBits for Located<T> {
    type Bits = Self;
    #[inline(always)]
    fn valid(_: &Self) -> bool {
        true
    }
}
// SAFETY: so are its parts.
unsafe impl<T: Ordered + Scalar + AnyBits> AnyBits for Located<T> {}
// SAFETY: not an array, slice or vector.
unsafe impl<T: Ordered + Scalar + AnyBits> Scalar for Located<T> {}

/// The smallest value and where it is (`MPI_MINLOC`); of equal values, the one with the lowest index. A NaN is the result
/// only where all are NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "MPI_MINLOC")]
pub struct MinLoc;

/// The largest value and where it is (`MPI_MAXLOC`); of equal values, the one with the lowest index. A NaN is the result
/// only where all are NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "MPI_MAXLOC")]
pub struct MaxLoc;

macro_rules! located {
    ($($name:ident: $before:expr;)+) => { $(
        impl sealed::Sealed for $name {}
        impl<T: Ordered + Scalar + AnyBits + PartialOrd> Operation<Located<T>> for $name {
            const WHOLE: bool = true;
            #[inline]
            fn raw(self) -> Result<RawOp> {
                /// # Safety
                /// As [`each`].
                unsafe extern "C" fn combine<T: Ordered + Scalar + AnyBits + PartialOrd>(
                    from: *mut c_void,
                    into: *mut c_void,
                    len: *mut c_int,
                    _: *mut MPI_Datatype,
                ) {
                    // SAFETY: this function's contract.
                    unsafe { each(from, into, len, |a: Located<T>, b| extreme(a, b, $before)) };
                }
                made(combine::<T>).map(RawOp)
            }
        }
    )+ };
}
located! {
    MinLoc: Ordering::Less;
    MaxLoc: Ordering::Greater;
}

/// The one of two that comes first, if `before` is how the first compares with the second. It does not depend on their order.
fn extreme<T: PartialOrd + Copy>(a: Located<T>, b: Located<T>, before: Ordering) -> Located<T> {
    let is_nan = |x: T| x.partial_cmp(&x).is_none();
    let takes_a = match a.value.partial_cmp(&b.value) {
        Some(Ordering::Equal) => a.index() <= b.index(),
        Some(order) => order == before,
        None if is_nan(a.value) && is_nan(b.value) => a.index() <= b.index(),
        None => is_nan(b.value),
    };
    if takes_a { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_and_numbers_that_are_none() {
        let at = Located::new;
        let least = |a, b| {
            let result = extreme(a, b, Ordering::Less);
            assert_eq!(result.index(), extreme(b, a, Ordering::Less).index(), "the order matters");
            result.index()
        };
        assert_eq!(least(at(1.0, 5), at(2.0, 3)), 5);
        assert_eq!(least(at(1.0, 5), at(1.0, 3)), 3);
        assert_eq!(least(at(0.0, 5), at(-0.0, 3)), 3);
        assert_eq!(least(at(f64::NAN, 1), at(2.0, 3)), 3);
        assert_eq!(least(at(f64::NAN, 1), at(f64::INFINITY, 3)), 3);
        assert_eq!(least(at(f64::NAN, 4), at(f64::NAN, 3)), 3);
        assert_eq!(extreme(Located::new(7u8, 1), Located::new(9, 2), Ordering::Greater).index(), 2);
        assert_eq!(size_of::<Located<u8>>(), 9);
    }
}
