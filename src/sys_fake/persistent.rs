//! Persistent requests: made inactive, started, completed, started again.

use super::abi::*;
use super::hooks;
use super::layout::Memory;
use super::point_to_point::addressed;
use super::process::{Process, enter};
use super::requests::report;
use super::traffic::{Data, Outcome, Send};
use std::os::raw::{c_int, c_void};

/// What a start does.
#[derive(Clone, Debug)]
pub(super) struct Persistent {
    way: Way,
    /// None: to or from nowhere, or partitioned: then it is the channel's, or collective: then it is in `Traffic`.
    memory: Option<Memory>,
    tag: c_int,
    pub started: bool,
}
impl Persistent {
    pub(super) fn partitioned(sends: bool, tag: c_int) -> Self {
        Persistent { way: if sends { Way::Send } else { Way::Recv }, memory: None, tag, started: false }
    }
}

/// Which of the five kinds it is. Every send of the fake that is neither buffered nor ready is synchronous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Recv,
    Send,
    Ready,
    Buffered,
}

impl Process {
    pub(super) fn inactive(&mut self, comm: MPI_Comm, persistent: Persistent) -> MPI_Request {
        let name = self.traffic.request(comm.addr());
        let request = self.traffic.requests.get_mut(&name).expect("fake MPI: made a line above");
        request.outcome = Some(Outcome::PLAIN);
        request.persistent = Some(persistent);
        handle(name)
    }

    #[track_caller]
    fn start(&mut self, name: usize) -> c_int {
        let request = self.traffic.requests.get_mut(&name).expect("fake MPI: starts what is not a request");
        let comm = request.comm;
        let persistent = request.persistent.as_mut().expect("fake MPI: starts what is not persistent");
        assert!(!std::mem::replace(&mut persistent.started, true), "fake MPI: starts what is active");
        let Persistent { way, memory, tag, .. } = persistent.clone();
        let Some(memory) = memory else {
            if self.traffic.start_channel(name) || self.traffic.start_collective(name) {
                self.traffic.requests.get_mut(&name).expect("fake MPI: found above").outcome = None;
            }
            return MPI_SUCCESS;
        };
        let awaited = self.traffic.is_awaited(comm, tag);
        match way {
            // Complete as soon as it is copied: as it is while inactive.
            Way::Buffered => {
                let code = self.send_from_buffer(&memory, tag, comm);
                if code != MPI_SUCCESS {
                    let failed = self.traffic.requests.get_mut(&name).expect("fake MPI: found above");
                    failed.persistent.as_mut().expect("fake MPI: found above").started = false;
                }
                return code;
            }
            Way::Ready => assert!(awaited, "fake MPI: MPI_Rsend_init, started, and nobody receives"),
            Way::Recv | Way::Send => {}
        }
        self.traffic.requests.get_mut(&name).expect("fake MPI: found above").outcome = None;
        match way {
            Way::Recv => self.traffic.receive_for(name, comm, tag, memory),
            _ => self.traffic.send(Send { comm, tag, data: Data::Lent(memory), request: Some(name) }),
        }
        MPI_SUCCESS
    }
}

/// # Safety
/// As `MPI_Send_init`.
unsafe fn init(
    call: &str,
    way: Way,
    (buf, count, datatype): (*const c_void, c_int, MPI_Datatype),
    (peer, tag, comm): (c_int, c_int, MPI_Comm),
    request: *mut MPI_Request,
) -> c_int {
    let mut process = addressed(call, comm, peer, tag, way == Way::Recv);
    let layout = process.layout(datatype);
    // SAFETY: usable whenever the request is active.
    let memory = (peer != MPI_PROC_NULL).then(|| unsafe { Memory::new(buf, count, &layout) });
    let new = process.inactive(comm, Persistent { way, memory, tag, started: false });
    // SAFETY: an out-argument.
    unsafe { request.write(new) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Recv_init(
    buf: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { init("MPI_Recv_init", Way::Recv, (buf, count, datatype), (peer, tag, comm), request) }
}

pub unsafe extern "C" fn MPI_Send_init(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { init("MPI_Send_init", Way::Send, (buf, count, datatype), (peer, tag, comm), request) }
}

pub unsafe extern "C" fn MPI_Ssend_init(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { init("MPI_Ssend_init", Way::Send, (buf, count, datatype), (peer, tag, comm), request) }
}

pub unsafe extern "C" fn MPI_Bsend_init(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { init("MPI_Bsend_init", Way::Buffered, (buf, count, datatype), (peer, tag, comm), request) }
}

pub unsafe extern "C" fn MPI_Rsend_init(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { init("MPI_Rsend_init", Way::Ready, (buf, count, datatype), (peer, tag, comm), request) }
}

pub unsafe extern "C" fn MPI_Start(request: *mut MPI_Request) -> c_int {
    // SAFETY: as this function's.
    unsafe { MPI_Startall(1, request) }
}

pub unsafe extern "C" fn MPI_Startall(count: c_int, requests: *mut MPI_Request) -> c_int {
    let mut process = enter("MPI_Startall");
    let fails_after = hooks::starts();
    for i in 0..usize::try_from(count).expect("fake MPI: a negative count") {
        if fails_after == Some(i) {
            return BROKEN;
        }
        // SAFETY: an entry of an array of handles.
        let handle = unsafe { requests.wrapping_add(i).read() };
        let code = process.start(handle.addr());
        if code != MPI_SUCCESS {
            return code;
        }
    }
    MPI_SUCCESS
}

/// Completes all or none.
pub unsafe extern "C" fn MPI_Testall(
    count: c_int,
    requests: *mut MPI_Request,
    flag: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    let mut process = enter("MPI_Testall");
    let count = usize::try_from(count).expect("fake MPI: a negative count");
    // SAFETY: an entry of an array of handles.
    let handles: Vec<MPI_Request> = (0..count).map(|i| unsafe { requests.wrapping_add(i).read() }).collect();
    let live = |handle: &&MPI_Request| **handle != MPI_REQUEST_NULL;
    let complete = handles.iter().filter(live).all(|handle| process.is_complete(*handle));
    // SAFETY: an out-argument.
    unsafe { flag.write(complete.into()) };
    if !complete {
        return MPI_SUCCESS;
    }
    let mut failed = false;
    for (i, handle) in handles.into_iter().enumerate() {
        let outcome = match handle {
            MPI_REQUEST_NULL => Outcome::PLAIN,
            _ => process.finish(handle.addr(), "MPI_Testall"),
        };
        failed |= outcome.code != MPI_SUCCESS;
        // SAFETY: an entry of an array of handles.
        unsafe { requests.wrapping_add(i).write(process.after_completion(handle)) };
        let status = if statuses.is_null() { statuses } else { statuses.wrapping_add(i) };
        // SAFETY: null, or an entry of an array of statuses.
        unsafe { report(status, outcome.status) };
    }
    if failed { IN_STATUS } else { MPI_SUCCESS }
}

pub unsafe extern "C" fn MPI_Request_get_status(
    request: MPI_Request,
    flag: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    let process = enter("MPI_Request_get_status");
    let complete = request == MPI_REQUEST_NULL || process.is_complete(request);
    // SAFETY: an out-argument.
    unsafe { flag.write(complete.into()) };
    if complete {
        let outcome = process.traffic.requests.get(&request.addr()).and_then(|request| request.ended());
        // SAFETY: as this function's.
        unsafe { report(status, outcome.map_or(EMPTY, |outcome| outcome.status)) };
    }
    MPI_SUCCESS
}

/// Of an inactive persistent request; the safe layer frees no other.
pub unsafe extern "C" fn MPI_Request_free(request: *mut MPI_Request) -> c_int {
    let mut process = enter("MPI_Request_free");
    // SAFETY: an in-out-argument.
    let name = unsafe { request.read() }.addr();
    let freed = process.traffic.requests.remove(&name).expect("fake MPI: frees what is not a request");
    let persistent = freed.persistent.expect("fake MPI: frees what is in flight");
    assert!(!persistent.started, "fake MPI: frees what is active");
    process.traffic.close_channel(name);
    process.traffic.collectives.remove(&name);
    // SAFETY: an in-out-argument.
    unsafe { request.write(MPI_REQUEST_NULL) };
    MPI_SUCCESS
}
