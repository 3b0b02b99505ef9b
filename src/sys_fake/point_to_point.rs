//! Sends, receives, probes: from rank 0 to rank 0.

use super::abi::*;
use super::layout::Memory;
use super::process::{Process, enter, fresh_name};
use super::requests::report;
use super::traffic::{Data, Send};
use std::os::raw::{c_int, c_void};
use std::sync::MutexGuard;

/// The state, for a call with a peer and a tag that the safe layer has checked.
#[track_caller]
pub(super) fn addressed(
    call: &str,
    comm: MPI_Comm,
    peer: c_int,
    tag: c_int,
    wild: bool,
) -> MutexGuard<'static, Process> {
    let mut process = enter(call);
    process.comm(comm);
    let any = |value: c_int, wildcard: c_int| wild && value == wildcard;
    assert!(
        peer == 0 || peer == MPI_PROC_NULL || any(peer, MPI_ANY_SOURCE),
        "fake MPI: {call} with rank {peer}"
    );
    assert!((0..=LARGEST_TAG).contains(&tag) || any(tag, MPI_ANY_TAG), "fake MPI: {call} with tag {tag}");
    process
}

/// Copies a message at once, as an eager protocol does, so that the call can return.
///
/// # Safety
/// As `MPI_Send`.
unsafe fn send_eagerly(
    process: &mut Process,
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    tag: c_int,
    comm: MPI_Comm,
) {
    let layout = process.layout(datatype);
    // SAFETY: readable during the call.
    let memory = unsafe { Memory::new(buf, count, &layout) };
    let data = Data::Copied((0..memory.len()).map(|byte| memory.read(byte)).collect());
    process.traffic.send(Send { comm: comm.addr(), tag, data, request: None });
}

pub unsafe extern "C" fn MPI_Send(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
) -> c_int {
    let mut process = addressed("MPI_Send", comm, dest, tag, false);
    if dest != MPI_PROC_NULL {
        // SAFETY: as this function's.
        unsafe { send_eagerly(&mut process, buf, count, datatype, tag, comm) };
    }
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Ssend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
) -> c_int {
    let mut process = addressed("MPI_Ssend", comm, dest, tag, false);
    if dest == MPI_PROC_NULL {
        return MPI_SUCCESS;
    }
    let layout = process.layout(datatype);
    // SAFETY: readable during the call.
    let data = Data::Lent(unsafe { Memory::new(buf, count, &layout) });
    let request = process.traffic.request(comm.addr());
    process.traffic.send(Send { comm: comm.addr(), tag, data, request: Some(request) });
    process.finish(request, "MPI_Ssend").code
}

pub unsafe extern "C" fn MPI_Isend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    let mut process = addressed("MPI_Isend", comm, dest, tag, false);
    let mut new = MPI_REQUEST_NULL; // to nowhere: complete at once
    if dest != MPI_PROC_NULL {
        let layout = process.layout(datatype);
        // SAFETY: readable until the request is complete.
        let data = Data::Lent(unsafe { Memory::new(buf, count, &layout) });
        let name = process.traffic.request(comm.addr());
        process.traffic.send(Send { comm: comm.addr(), tag, data, request: Some(name) });
        new = handle(name);
    }
    // SAFETY: an out-argument.
    unsafe { request.write(new) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Recv(
    buf: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    status: *mut MPI_Status,
) -> c_int {
    let mut process = addressed("MPI_Recv", comm, source, tag, true);
    if source == MPI_PROC_NULL {
        // SAFETY: as this function's.
        unsafe { report(status, FROM_NOWHERE) };
        return MPI_SUCCESS;
    }
    let layout = process.layout(datatype);
    // SAFETY: writable during the call.
    let into = unsafe { Memory::new(buf, count, &layout) };
    let request = process.traffic.receive(comm.addr(), tag, into);
    let outcome = process.finish(request, "MPI_Recv");
    // SAFETY: as this function's.
    unsafe { report(status, outcome.status) };
    outcome.code
}

pub unsafe extern "C" fn MPI_Irecv(
    buf: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    let mut process = addressed("MPI_Irecv", comm, source, tag, true);
    let mut new = MPI_REQUEST_NULL; // from nowhere: complete at once
    if source != MPI_PROC_NULL {
        let layout = process.layout(datatype);
        // SAFETY: writable until the request is complete.
        let into = unsafe { Memory::new(buf, count, &layout) };
        new = handle(process.traffic.receive(comm.addr(), tag, into));
    }
    // SAFETY: an out-argument.
    unsafe { request.write(new) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Sendrecv(
    sendbuf: *const c_void,
    sendcount: c_int,
    sendtype: MPI_Datatype,
    dest: c_int,
    sendtag: c_int,
    recvbuf: *mut c_void,
    recvcount: c_int,
    recvtype: MPI_Datatype,
    source: c_int,
    recvtag: c_int,
    comm: MPI_Comm,
    status: *mut MPI_Status,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { MPI_Send(sendbuf, sendcount, sendtype, dest, sendtag, comm) };
    // SAFETY: as this function's.
    unsafe { MPI_Recv(recvbuf, recvcount, recvtype, source, recvtag, comm, status) }
}

pub unsafe extern "C" fn MPI_Probe(
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    status: *mut MPI_Status,
) -> c_int {
    let process = addressed("MPI_Probe", comm, source, tag, true);
    let found = match source {
        MPI_PROC_NULL => FROM_NOWHERE,
        _ => {
            process.traffic.find(comm.addr(), tag).expect("fake MPI: MPI_Probe would wait for ever").status()
        }
    };
    // SAFETY: as this function's.
    unsafe { report(status, found) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Mprobe(
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    message: *mut MPI_Message,
    status: *mut MPI_Status,
) -> c_int {
    let mut process = addressed("MPI_Mprobe", comm, source, tag, true);
    let (new, found) = if source == MPI_PROC_NULL {
        (MESSAGE_NO_PROC, FROM_NOWHERE)
    } else {
        let send = process.traffic.take(comm.addr(), tag).expect("fake MPI: MPI_Mprobe would wait for ever");
        let (name, status) = (fresh_name(), send.status());
        process.traffic.messages.insert(name, send);
        (handle(name), status)
    };
    // SAFETY: an out-argument.
    unsafe { message.write(new) };
    // SAFETY: as this function's.
    unsafe { report(status, found) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Mrecv(
    buf: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    message: *mut MPI_Message,
    status: *mut MPI_Status,
) -> c_int {
    let mut process = enter("MPI_Mrecv");
    // SAFETY: an in-out-argument.
    let matched = unsafe { message.read() };
    // SAFETY: an in-out-argument.
    unsafe { message.write(MPI_MESSAGE_NULL) };
    if matched == MESSAGE_NO_PROC {
        // SAFETY: as this function's.
        unsafe { report(status, FROM_NOWHERE) };
        return MPI_SUCCESS;
    }
    let send = process.traffic.messages.remove(&matched.addr()).expect("fake MPI: not a matched message");
    let layout = process.layout(datatype);
    // SAFETY: writable during the call.
    let into = unsafe { Memory::new(buf, count, &layout) };
    let request = process.traffic.request(send.comm);
    process.traffic.deliver(send, into, request);
    let outcome = process.finish(request, "MPI_Mrecv");
    // SAFETY: as this function's.
    unsafe { report(status, outcome.status) };
    outcome.code
}
