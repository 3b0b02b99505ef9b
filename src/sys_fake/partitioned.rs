//! Partitioned messages: bytes move as soon as their partition is ready, while others are still being filled.

use super::abi::*;
use super::layout::Memory;
use super::persistent::Persistent;
use super::point_to_point::addressed;
use super::process::{Process, enter};
use super::traffic::{Outcome, Traffic, WORD};
use std::ops::Range;
use std::os::raw::{c_int, c_void};

/// One end: a buffer in equal parts.
#[derive(Debug)]
struct End {
    request: usize,
    memory: Memory,
    parts: usize,
    started: bool,
}
impl End {
    fn bytes(&self, part: usize) -> Range<usize> {
        let per = self.memory.len() / self.parts;
        part * per..(part + 1) * per
    }
}

/// Two ends, matched when they were made.
#[derive(Debug)]
pub(super) struct Channel {
    comm: usize,
    tag: c_int,
    send: Option<End>,
    recv: Option<End>,
    /// Of the sender's parts.
    ready: Vec<bool>,
    /// Of the bytes.
    moved: Vec<bool>,
}

impl Channel {
    /// An end holds memory of the program while it is started.
    pub(super) fn in_flight(&self) -> usize {
        [&self.send, &self.recv].into_iter().flatten().filter(|end| end.started).count()
    }

    fn end(&mut self, request: usize) -> Option<&mut End> {
        [&mut self.send, &mut self.recv].into_iter().flatten().find(|end| end.request == request)
    }

    /// Moves one word. Some(requests) if that was the last.
    fn step(&mut self) -> Option<Vec<usize>> {
        let (Some(send), Some(recv)) = (&mut self.send, &mut self.recv) else { return None };
        if !(send.started && recv.started) {
            return None;
        }
        assert!(send.memory.len() == recv.memory.len(), "fake MPI: a partitioned message of two sizes");
        let ready = (0..send.parts).filter(|&part| self.ready[part]).flat_map(|part| send.bytes(part));
        let next: Vec<usize> = ready.filter(|&byte| !self.moved[byte]).take(WORD).collect();
        for byte in next {
            recv.memory.write(byte, send.memory.read(byte));
            self.moved[byte] = true;
        }
        if !(self.ready.iter().all(|&ready| ready) && self.moved.iter().all(|&moved| moved)) {
            return None;
        }
        (send.started, recv.started) = (false, false);
        Some(vec![send.request, recv.request])
    }
}

impl Traffic {
    fn channel(&mut self, request: usize) -> Option<&mut Channel> {
        let i = self.channels.iter_mut().position(|channel| channel.end(request).is_some())?;
        self.channels.get_mut(i)
    }

    fn open(&mut self, comm: usize, tag: c_int, sends: bool, end: End) {
        let fits = |channel: &&mut Channel| {
            let taken = if sends { &channel.send } else { &channel.recv };
            (channel.comm, channel.tag) == (comm, tag) && taken.is_none()
        };
        let at = match self.channels.iter_mut().find(fits) {
            Some(channel) => channel,
            None => {
                let (ready, moved) = (Vec::new(), vec![false; end.memory.len()]);
                self.channels.push(Channel { comm, tag, send: None, recv: None, ready, moved });
                self.channels.last_mut().expect("fake MPI: pushed a line above")
            }
        };
        *(if sends { &mut at.send } else { &mut at.recv }) = Some(end);
    }

    /// Whether the request is an end of a partitioned message.
    pub(super) fn start_channel(&mut self, request: usize) -> bool {
        let Some(channel) = self.channel(request) else { return false };
        let end = channel.end(request).expect("fake MPI: found above");
        end.started = true;
        let parts = end.parts;
        if channel.send.as_ref().is_some_and(|send| send.request == request) {
            channel.ready = vec![false; parts];
            channel.moved.fill(false);
        }
        true
    }

    pub(super) fn close_channel(&mut self, request: usize) {
        for channel in &mut self.channels {
            channel.send.take_if(|end| end.request == request);
            channel.recv.take_if(|end| end.request == request);
        }
        self.channels.retain(|channel| channel.send.is_some() || channel.recv.is_some());
    }

    /// Whether anything moved or was completed.
    pub(super) fn step_channels(&mut self) -> bool {
        let moved =
            |channels: &[Channel]| channels.iter().flat_map(|c| &c.moved).filter(|&&moved| moved).count();
        let before = moved(&self.channels);
        let done: Vec<usize> = self.channels.iter_mut().filter_map(Channel::step).flatten().collect();
        done.iter().for_each(|&request| self.complete(request, Outcome::PLAIN));
        moved(&self.channels) != before || !done.is_empty()
    }
}

impl Process {
    #[track_caller]
    fn ready(&mut self, call: &str, request: MPI_Request, parts: impl Iterator<Item = c_int>) {
        let channel = self.traffic.channel(request.addr()).expect("fake MPI: not a partitioned request");
        let send = channel.send.as_ref().expect("fake MPI: not a partitioned send");
        assert!(send.request == request.addr() && send.started, "fake MPI: {call} of what is not started");
        for part in parts {
            let part = usize::try_from(part).expect("fake MPI: a negative partition");
            assert!(
                !std::mem::replace(&mut channel.ready[part], true),
                "fake MPI: {call}: partition {part} is ready"
            );
        }
        self.traffic.step();
    }
}

/// # Safety
/// As `MPI_Psend_init`.
#[allow(clippy::too_many_arguments, reason = "C's")]
unsafe fn init(
    call: &str,
    sends: bool,
    buf: *const c_void,
    parts: c_int,
    count: MPI_Count,
    datatype: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    let mut process = addressed(call, comm, peer, tag, false);
    assert!(peer == 0 && parts > 0, "fake MPI: {call} with {parts} partitions to or from {peer}");
    let layout = process.layout(datatype);
    let elements = c_int::try_from(count).ok().and_then(|count| count.checked_mul(parts));
    // SAFETY: usable whenever the request is active.
    let memory = unsafe { Memory::new(buf, elements.expect("fake MPI: too many elements"), &layout) };
    let new = process.inactive(comm, Persistent::partitioned(sends, tag));
    let end = End { request: new.addr(), memory, parts: parts as usize, started: false };
    process.traffic.open(comm.addr(), tag, sends, end);
    // SAFETY: an out-argument.
    unsafe { request.write(new) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Psend_init(
    buf: *const c_void,
    parts: c_int,
    count: MPI_Count,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
    _info: MPI_Info,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { init("MPI_Psend_init", true, buf, parts, count, datatype, dest, tag, comm, request) }
}

pub unsafe extern "C" fn MPI_Precv_init(
    buf: *mut c_void,
    parts: c_int,
    count: MPI_Count,
    datatype: MPI_Datatype,
    source: c_int,
    tag: c_int,
    comm: MPI_Comm,
    _info: MPI_Info,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { init("MPI_Precv_init", false, buf, parts, count, datatype, source, tag, comm, request) }
}

pub unsafe extern "C" fn MPI_Pready(partition: c_int, request: MPI_Request) -> c_int {
    enter("MPI_Pready").ready("MPI_Pready", request, std::iter::once(partition));
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Pready_range(low: c_int, high: c_int, request: MPI_Request) -> c_int {
    enter("MPI_Pready_range").ready("MPI_Pready_range", request, low..=high);
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Pready_list(n: c_int, list: *const c_int, request: MPI_Request) -> c_int {
    // SAFETY: an array of `n` entries.
    let parts = (0..n as usize).map(|i| unsafe { list.wrapping_add(i).read() });
    enter("MPI_Pready_list").ready("MPI_Pready_list", request, parts);
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Parrived(request: MPI_Request, partition: c_int, flag: *mut c_int) -> c_int {
    let mut process = enter("MPI_Parrived");
    let channel = process.traffic.channel(request.addr()).expect("fake MPI: not a partitioned request");
    let recv = channel.recv.as_ref().expect("fake MPI: not a partitioned receive");
    // What was moved is of this message only once the sender has started it.
    let sender_ahead = !recv.started;
    let matched = channel.send.as_ref().is_some_and(|send| send.started);
    let arrived = recv.bytes(partition as usize).all(|byte| channel.moved[byte]);
    // SAFETY: an out-argument.
    unsafe { flag.write((sender_ahead || matched && arrived).into()) };
    MPI_SUCCESS
}
