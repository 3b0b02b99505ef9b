//! Synchronous sends, and matched messages that are received in flight.

use super::abi::*;
use super::layout::Memory;
use super::point_to_point::{MPI_Isend, addressed};
use super::process::{enter, fresh_name};
use super::requests::report;
use std::os::raw::{c_int, c_void};

/// In this fake every `MPI_Isend` is synchronous: nothing of it is copied.
pub unsafe extern "C" fn MPI_Issend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { MPI_Isend(buf, count, datatype, dest, tag, comm, request) }
}

pub unsafe extern "C" fn MPI_Improbe(
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    flag: *mut c_int,
    message: *mut MPI_Message,
    status: *mut MPI_Status,
) -> c_int {
    let mut process = addressed("MPI_Improbe", comm, source, tag, true);
    let found = if source == MPI_PROC_NULL {
        Some((MESSAGE_NO_PROC, FROM_NOWHERE))
    } else {
        process.traffic.take(comm.addr(), tag).map(|send| {
            let (name, status) = (fresh_name(), send.status());
            process.traffic.messages.insert(name, send);
            (handle(name), status)
        })
    };
    // SAFETY: an out-argument.
    unsafe { flag.write(found.is_some().into()) };
    if let Some((new, found)) = found {
        // SAFETY: an out-argument.
        unsafe { message.write(new) };
        // SAFETY: as this function's.
        unsafe { report(status, found) };
    }
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Imrecv(
    buf: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    message: *mut MPI_Message,
    request: *mut MPI_Request,
) -> c_int {
    let mut process = enter("MPI_Imrecv");
    // SAFETY: an in-out-argument.
    let matched = unsafe { message.read() };
    // SAFETY: an in-out-argument.
    unsafe { message.write(MPI_MESSAGE_NULL) };
    let mut new = MPI_REQUEST_NULL; // from nowhere: complete at once
    if matched != MESSAGE_NO_PROC {
        let send = process.traffic.messages.remove(&matched.addr()).expect("fake MPI: not a matched message");
        let layout = process.layout(datatype);
        // SAFETY: writable until the request is complete.
        let into = unsafe { Memory::new(buf, count, &layout) };
        let name = process.traffic.request(send.comm);
        process.traffic.deliver(send, into, name);
        new = handle(name);
    }
    // SAFETY: an out-argument.
    unsafe { request.write(new) };
    MPI_SUCCESS
}
