//! `MPI_Unpack` and the external representation, which is this machine's: the fake's messages go nowhere else.

use super::abi::*;
use super::layout::{Layout, Memory};
use super::process::enter;
use std::os::raw::{c_char, c_int, c_void};

pub unsafe extern "C" fn MPI_Pack_size(
    count: c_int,
    datatype: MPI_Datatype,
    comm: MPI_Comm,
    size: *mut c_int,
) -> c_int {
    enter("MPI_Pack_size").comm(comm);
    let mut bytes = 0;
    // SAFETY: as this function's.
    unsafe { MPI_Pack_external_size(std::ptr::null(), count, datatype, &raw mut bytes) };
    // SAFETY: an out-argument.
    unsafe { size.write(bytes as c_int) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Pack_external_size(
    _: *const c_char,
    count: c_int,
    datatype: MPI_Datatype,
    size: *mut MPI_Aint,
) -> c_int {
    let bytes = enter("MPI_Pack_external_size").layout(datatype).size() * count as usize;
    // SAFETY: an out-argument.
    unsafe { size.write(bytes as MPI_Aint) };
    MPI_SUCCESS
}

/// Copies between memory of a shape and packed bytes, whose place is moved on.
///
/// # Safety
/// Both memories may be used during the call.
unsafe fn copy(packed: *mut c_void, len: MPI_Aint, at: MPI_Aint, memory: &Memory, packs: bool) -> MPI_Aint {
    let end = at as usize + memory.len();
    assert!(end <= len as usize, "fake MPI: past the end of a packed message");
    let place = packed.cast::<u8>().wrapping_add(at as usize);
    // SAFETY: usable during the call, as asserted above.
    let bytes = unsafe { Memory::new(place.cast(), memory.len() as c_int, &Layout::basic(1)) };
    let (from, into) = if packs { (memory, &bytes) } else { (&bytes, memory) };
    (0..memory.len()).for_each(|byte| into.write(byte, from.read(byte)));
    end as MPI_Aint
}

pub unsafe extern "C" fn MPI_Unpack(
    packed: *const c_void,
    len: c_int,
    position: *mut c_int,
    out: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    comm: MPI_Comm,
) -> c_int {
    let mut process = enter("MPI_Unpack");
    process.comm(comm);
    let layout = process.layout(datatype);
    drop(process);
    // SAFETY: writable during the call.
    let into = unsafe { Memory::new(out, count, &layout) };
    // SAFETY: an in-out-argument.
    let at = unsafe { position.read() };
    // SAFETY: both may be used during the call.
    let end = unsafe { copy(packed.cast_mut(), len as MPI_Aint, at as MPI_Aint, &into, false) };
    // SAFETY: an in-out-argument.
    unsafe { position.write(end as c_int) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Pack_external(
    _: *const c_char,
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    packed: *mut c_void,
    len: MPI_Aint,
    position: *mut MPI_Aint,
) -> c_int {
    let layout = enter("MPI_Pack_external").layout(datatype);
    // SAFETY: readable during the call.
    let from = unsafe { Memory::new(buf, count, &layout) };
    // SAFETY: an in-out-argument.
    let at = unsafe { position.read() };
    // SAFETY: both may be used during the call.
    let end = unsafe { copy(packed, len, at, &from, true) };
    // SAFETY: an in-out-argument.
    unsafe { position.write(end) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Unpack_external(
    _: *const c_char,
    packed: *const c_void,
    len: MPI_Aint,
    position: *mut MPI_Aint,
    out: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
) -> c_int {
    let layout = enter("MPI_Unpack_external").layout(datatype);
    // SAFETY: writable during the call.
    let into = unsafe { Memory::new(out, count, &layout) };
    // SAFETY: an in-out-argument.
    let at = unsafe { position.read() };
    // SAFETY: both may be used during the call.
    let end = unsafe { copy(packed.cast_mut(), len, at, &into, false) };
    // SAFETY: an in-out-argument.
    unsafe { position.write(end) };
    MPI_SUCCESS
}
