//! Collectives of one rank: the input is the result.

use super::abi::*;
use super::layout::Memory;
use super::operations::known;
use super::process::{Process, enter};
use std::os::raw::{c_int, c_void};
use std::sync::MutexGuard;

/// Calls that pass before a nonblocking collective moves on.
const IDLE: u32 = 2;

#[track_caller]
fn collective(call: &str, comm: MPI_Comm, root: c_int) -> MutexGuard<'static, Process> {
    let mut process = enter(call);
    process.comm(comm);
    assert!(root == 0, "fake MPI: {call} with root {root}");
    process
}

/// Copies at once what one rank gives into what it gets.
///
/// # Safety
/// The first memory may be read during the call, the second written.
#[track_caller]
unsafe fn copy(
    process: &mut Process,
    comm: MPI_Comm,
    (send, send_count, send_type): (*const c_void, c_int, MPI_Datatype),
    (recv, recv_count, recv_type): (*mut c_void, c_int, MPI_Datatype),
) -> c_int {
    let (send_layout, recv_layout) = (process.layout(send_type), process.layout(recv_type));
    // SAFETY: writable during the call.
    let into = unsafe { Memory::new(recv, recv_count, &recv_layout) };
    if send == MPI_IN_PLACE.cast_const() {
        (0..into.len()).for_each(|byte| into.write(byte, into.read(byte)));
        return MPI_SUCCESS;
    }
    // SAFETY: readable during the call.
    let from = unsafe { Memory::new(send, send_count, &send_layout) };
    let bytes = from.len().min(into.len());
    (0..bytes).for_each(|byte| into.write(byte, from.read(byte)));
    process.raise(comm.addr(), if from.len() > into.len() { TRUNCATED } else { MPI_SUCCESS })
}

pub unsafe extern "C" fn MPI_Barrier(comm: MPI_Comm) -> c_int {
    drop(collective("MPI_Barrier", comm, 0));
    MPI_SUCCESS
}

/// The root's memory is read; one rank has no other.
pub unsafe extern "C" fn MPI_Bcast(
    buf: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    root: c_int,
    comm: MPI_Comm,
) -> c_int {
    let process = collective("MPI_Bcast", comm, root);
    let layout = process.layout(datatype);
    // SAFETY: readable during the call.
    let memory = unsafe { Memory::new(buf, count, &layout) };
    (0..memory.len()).for_each(|byte| _ = memory.read(byte));
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Allgather(
    send: *const c_void,
    send_count: c_int,
    send_type: MPI_Datatype,
    recv: *mut c_void,
    recv_count: c_int,
    recv_type: MPI_Datatype,
    comm: MPI_Comm,
) -> c_int {
    let mut process = collective("MPI_Allgather", comm, 0);
    // SAFETY: as this function's.
    unsafe { copy(&mut process, comm, (send, send_count, send_type), (recv, recv_count, recv_type)) }
}

pub unsafe extern "C" fn MPI_Gather(
    send: *const c_void,
    send_count: c_int,
    send_type: MPI_Datatype,
    recv: *mut c_void,
    recv_count: c_int,
    recv_type: MPI_Datatype,
    root: c_int,
    comm: MPI_Comm,
) -> c_int {
    let mut process = collective("MPI_Gather", comm, root);
    // SAFETY: as this function's.
    unsafe { copy(&mut process, comm, (send, send_count, send_type), (recv, recv_count, recv_type)) }
}

pub unsafe extern "C" fn MPI_Scatter(
    send: *const c_void,
    send_count: c_int,
    send_type: MPI_Datatype,
    recv: *mut c_void,
    recv_count: c_int,
    recv_type: MPI_Datatype,
    root: c_int,
    comm: MPI_Comm,
) -> c_int {
    let mut process = collective("MPI_Scatter", comm, root);
    // SAFETY: as this function's.
    unsafe { copy(&mut process, comm, (send, send_count, send_type), (recv, recv_count, recv_type)) }
}

pub unsafe extern "C" fn MPI_Reduce(
    send: *const c_void,
    recv: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    op: MPI_Op,
    root: c_int,
    comm: MPI_Comm,
) -> c_int {
    known(op);
    let mut process = collective("MPI_Reduce", comm, root);
    // SAFETY: as this function's.
    unsafe { copy(&mut process, comm, (send, count, datatype), (recv, count, datatype)) }
}

pub unsafe extern "C" fn MPI_Allreduce(
    send: *const c_void,
    recv: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    op: MPI_Op,
    comm: MPI_Comm,
) -> c_int {
    known(op);
    let mut process = collective("MPI_Allreduce", comm, 0);
    // SAFETY: as this function's.
    unsafe { copy(&mut process, comm, (send, count, datatype), (recv, count, datatype)) }
}

pub unsafe extern "C" fn MPI_Iallreduce(
    send: *const c_void,
    recv: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    op: MPI_Op,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    known(op);
    let mut process = collective("MPI_Iallreduce", comm, 0);
    let layout = process.layout(datatype);
    // SAFETY: readable until the request is complete.
    let from = unsafe { Memory::new(send, count, &layout) };
    // SAFETY: writable until the request is complete.
    let into = unsafe { Memory::new(recv, count, &layout) };
    let name = process.traffic.copy(comm.addr(), from, into, IDLE);
    // SAFETY: an out-argument.
    unsafe { request.write(handle(name)) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Ibarrier(comm: MPI_Comm, request: *mut MPI_Request) -> c_int {
    let mut process = collective("MPI_Ibarrier", comm, 0);
    let name = process.traffic.copy(comm.addr(), Memory::NONE, Memory::NONE, IDLE);
    // SAFETY: an out-argument.
    unsafe { request.write(handle(name)) };
    MPI_SUCCESS
}
