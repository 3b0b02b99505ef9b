//! `MPI_MIN` and `MPI_MAX` of unsigned integers where the library compares them as if they were signed.
//!
//! MPICH 4.0.2 does (`unsigned-order` in `docs/faults.md`). There, and only there, operations of our own take their
//! place.
#![allow(unsafe_code)]

use super::own::{Function, each, made};
use crate::datatype::AnyBits;
use crate::error::Result;
use crate::ffi::{self, MPI_Datatype, MPI_Op};
use crate::quirks;
use std::os::raw::{c_int, c_void};

/// What MPI calls for the smaller and the larger of two.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    smaller: Function,
    larger: Function,
}

impl Replacement {
    #[inline]
    pub(super) fn of<T: AnyBits + Ord>() -> Self {
        Replacement { smaller: combine::<T, false>, larger: combine::<T, true> }
    }
}

/// The library's operation, or what replaces it.
#[inline]
pub(super) fn ordered(op: MPI_Op, replacement: Option<Replacement>) -> Result<MPI_Op> {
    match replacement {
        Some(own) if quirks::unsigned_order() => {
            made(if op == ffi::MPI_MAX { own.larger } else { own.smaller })
        }
        _ => Ok(op),
    }
}

/// # Safety
/// As [`each`].
unsafe extern "C" fn combine<T: AnyBits + Ord, const LARGER: bool>(
    from: *mut c_void,
    into: *mut c_void,
    len: *mut c_int,
    _: *mut MPI_Datatype,
) {
    // SAFETY: this function's contract.
    unsafe { each(from, into, len, |a: T, b| if LARGER { a.max(b) } else { a.min(b) }) };
}
