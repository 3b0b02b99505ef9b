//! Probes that do not wait, receives of matched messages in flight, and sending from the receive buffer.

use super::abi::*;
use super::layout::Memory;
use super::point_to_point::{MPI_Mprobe, MPI_Recv, MPI_Send, addressed};
use super::process::enter;
use super::requests::report;
use std::os::raw::{c_int, c_void};

pub unsafe extern "C" fn MPI_Iprobe(
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    flag: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    let process = addressed("MPI_Iprobe", comm, source, tag, true);
    let found = match source {
        MPI_PROC_NULL => Some(FROM_NOWHERE),
        _ => process.traffic.find(comm.addr(), tag).map(|send| send.status()),
    };
    // SAFETY: an out-argument.
    unsafe { flag.write(found.is_some().into()) };
    if let Some(found) = found {
        // SAFETY: as this function's.
        unsafe { report(status, found) };
    }
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Improbe(
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    flag: *mut c_int,
    message: *mut MPI_Message,
    status: *mut MPI_Status,
) -> c_int {
    let mut found = 0;
    // SAFETY: as this function's.
    unsafe { MPI_Iprobe(source, tag, comm, &raw mut found, status) };
    // SAFETY: an out-argument.
    unsafe { flag.write(found) };
    if found == 0 {
        // SAFETY: an out-argument.
        unsafe { message.write(MPI_MESSAGE_NULL) };
        return MPI_SUCCESS;
    }
    // SAFETY: as this function's.
    unsafe { MPI_Mprobe(source, tag, comm, message, status) }
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
    if matched == MESSAGE_NO_PROC {
        // SAFETY: an out-argument.
        unsafe { request.write(MPI_REQUEST_NULL) }; // from nowhere: complete at once
        return MPI_SUCCESS;
    }
    let send = process.traffic.messages.remove(&matched.addr()).expect("fake MPI: not a matched message");
    let layout = process.layout(datatype);
    // SAFETY: writable until the request is complete.
    let into = unsafe { Memory::new(buf, count, &layout) };
    let name = process.traffic.request(send.comm);
    process.traffic.deliver(send, into, name);
    // SAFETY: an out-argument.
    unsafe { request.write(handle(name)) };
    MPI_SUCCESS
}

/// What is sent is copied before anything is received.
pub unsafe extern "C" fn MPI_Sendrecv_replace(
    buf: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    send_tag: c_int,
    source: c_int,
    recv_tag: c_int,
    comm: MPI_Comm,
    status: *mut MPI_Status,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { MPI_Send(buf, count, datatype, dest, send_tag, comm) };
    // SAFETY: as this function's.
    unsafe { MPI_Recv(buf, count, datatype, source, recv_tag, comm, status) }
}
