//! Operations that this crate makes of functions of its own: each once, kept until MPI ends.
#![allow(unsafe_code)]

use crate::datatype::AnyBits;
use crate::environment::{enter, report};
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Datatype, MPI_Op, check};
use std::mem::MaybeUninit;
use std::os::raw::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

pub(super) const CREATE: Call = &"MPI_Op_create";

/// What MPI calls to combine two arrays: the second becomes the first combined with it.
pub(super) type Function = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype);

/// Combines two arrays element by element.
///
/// Padding before the first byte that travels of the first value and after the last one of the last is left alone: in memory
/// that Open MPI allocates there is none.
///
/// # Safety
/// MPI passes two arrays of `*len` values of `T`, which need not be aligned, the second for writing.
#[inline]
pub(super) unsafe fn each<T: AnyBits>(
    from: *mut c_void,
    into: *mut c_void,
    len: *mut c_int,
    f: impl Fn(T, T) -> T,
) {
    let (from, into) = (from.cast::<T>(), into.cast::<T>());
    // SAFETY: MPI passes a length.
    let len = unsafe { *len };
    for i in 0..usize::try_from(len).unwrap_or_else(|_| too_many(len)) {
        // SAFETY: inside the first array.
        let a = unsafe { read(from.wrapping_add(i)) };
        let place = into.wrapping_add(i);
        // SAFETY: inside the second array.
        let b = unsafe { read(place) };
        let combined = f(a, b);
        // SAFETY: as above; MPI gives the second array for writing.
        unsafe { write(place, combined) };
    }
}

/// Where in a value of `T` the bytes lie that travel, and how many there are from the first to the last.
const fn span<T: AnyBits>() -> (usize, usize) {
    let (first, last) = T::PARTS.span;
    (first, last - first)
}

/// # Safety
/// At `place`, which need not be aligned, are the bytes of a value that travel.
#[inline(always)]
unsafe fn read<T: AnyBits>(place: *const T) -> T {
    const { T::AGREES.see() }
    let (first, len) = const { span::<T>() };
    let mut value = MaybeUninit::<T>::uninit();
    let into = value.as_mut_ptr().wrapping_byte_add(first).cast::<u8>();
    // SAFETY: these bytes may be read, by this function's contract, and are inside `value`.
    unsafe { into.copy_from_nonoverlapping(place.wrapping_byte_add(first).cast(), len) };
    // SAFETY: whatever bits are where MPI writes make a value, be the bytes besides initialized or not (`AnyBits`).
    unsafe { value.assume_init() }
}

/// # Safety
/// At `place`, which need not be aligned, the bytes of a value that travel may be written.
#[inline(always)]
unsafe fn write<T: AnyBits>(place: *mut T, value: T) {
    let (first, len) = const { span::<T>() };
    let from = (&raw const value).wrapping_byte_add(first).cast::<u8>();
    // SAFETY: these bytes may be written, by this function's contract, and are inside `value`.
    unsafe { place.wrapping_byte_add(first).cast::<u8>().copy_from_nonoverlapping(from, len) };
}

/// A library has counted beyond an `int`.
#[cold]
fn too_many(len: c_int) -> usize {
    report(format_args!("MPI asks a reduction for {len} elements: ending the job"));
    ffi::abort(1)
}

/// Where `MPI_Op` is a pointer it is not `Send`; it names an operation from every thread all the same.
struct Made(usize, MPI_Op);
// SAFETY: a handle is a name; whoever uses it holds a communicator of its thread.
unsafe impl Send for Made {}

static MADE: Mutex<Vec<Made>> = Mutex::new(Vec::new());

/// The operation of a function that does not unwind and whose result does not depend on the order of its operands.
#[cold]
pub(super) fn made(function: Function) -> Result<MPI_Op> {
    let _entered = enter(CREATE)?; // whoever asks for an operation need not have a handle
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let address = function as usize;
    if let Some(Made(_, op)) = made.iter().find(|made| made.0 == address) {
        return Ok(*op);
    }
    let op = create(function, true)?;
    made.push(Made(address, op));
    Ok(op)
}

/// Has MPI make an operation. MPI is live.
pub(super) fn create(function: Function, commutes: bool) -> Result<MPI_Op> {
    let mut op = ffi::MPI_OP_NULL;
    // SAFETY: the function has the signature that MPI calls; whoever uses the operation sees to it that the function
    // exists and suits the elements.
    check(CREATE, unsafe { ffi::MPI_Op_create(Some(function), commutes.into(), &raw mut op) })?;
    Ok(op)
}

/// Gives an operation back. MPI is live, and nobody uses it any more.
pub(super) fn free(mut op: MPI_Op) {
    // SAFETY: made by `create`, and freed once: every caller owns it.
    unsafe { ffi::MPI_Op_free(&raw mut op) };
}

/// Frees those of this crate. MPI is live, and ends for us: no handle is left to reduce with.
pub(crate) fn clear() {
    MADE.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(|Made(_, op)| free(op));
}
