//! `MPI_MIN` and `MPI_MAX` of unsigned integers where the library compares them as if they were signed.
//!
//! MPICH 4.0.2 does (`unsigned-order` in `docs/faults.md`). There, and only there, operations of our own take their
//! place: made at first use, kept until MPI ends.
#![allow(unsafe_code)]

use crate::error::Result;
use crate::ffi::{self, MPI_Datatype, MPI_Op, check};
use crate::quirks;
use std::os::raw::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

type Function = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype);

/// What MPI calls for the smaller and the larger of two.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    smaller: Function,
    larger: Function,
}

impl Replacement {
    #[inline]
    pub(super) fn of<T: Copy + Ord>() -> Self {
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
/// MPI calls it with two arrays of `*len` values of `T`, which need not be aligned.
unsafe extern "C" fn combine<T: Copy + Ord, const LARGER: bool>(
    from: *mut c_void,
    into: *mut c_void,
    len: *mut c_int,
    _: *mut MPI_Datatype,
) {
    let (from, into) = (from.cast::<T>(), into.cast::<T>());
    // SAFETY: MPI passes a valid length.
    let len = unsafe { *len } as usize;
    for i in 0..len {
        // SAFETY: inside the first array.
        let a = unsafe { from.wrapping_add(i).read_unaligned() };
        let place = into.wrapping_add(i);
        // SAFETY: inside the second array.
        let b = unsafe { place.read_unaligned() };
        // SAFETY: as above; MPI gives the second array for writing.
        unsafe { place.write_unaligned(if LARGER { a.max(b) } else { a.min(b) }) };
    }
}

/// Where `MPI_Op` is a pointer it is not `Send`; it names an operation from every thread all the same.
struct Made(usize, MPI_Op);
// SAFETY: a handle is a name; whoever uses it holds a communicator of its thread.
unsafe impl Send for Made {}

static MADE: Mutex<Vec<Made>> = Mutex::new(Vec::new());

#[cold]
fn made(function: Function) -> Result<MPI_Op> {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let address = function as usize;
    if let Some(Made(_, op)) = made.iter().find(|made| made.0 == address) {
        return Ok(*op);
    }
    let mut op = ffi::MPI_OP_NULL;
    // SAFETY: the function has the signature MPI calls, lives for ever and does not unwind; the larger and the smaller of
    // two do not depend on their order.
    check(&"MPI_Op_create", unsafe { ffi::MPI_Op_create(Some(function), 1, &raw mut op) })?;
    made.push(Made(address, op));
    Ok(op)
}

/// Frees them. MPI is live, and ends for us.
pub(crate) fn clear() {
    for Made(_, mut op) in MADE.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // SAFETY: made by `made`, and no handle is left to reduce with.
        unsafe { ffi::MPI_Op_free(&raw mut op) };
    }
}
