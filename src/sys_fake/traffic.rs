//! Messages: posted, matched, moved word by word, complete.

use super::abi::*;
use super::copying::{Copying, Kept};
use super::generalized::Generalized;
use super::layout::Memory;
use super::partitioned::Channel;
use super::persistent::Persistent;
use super::process::fresh_name;
use std::collections::BTreeMap;
use std::os::raw::c_int;

/// How many bytes of a transfer one call moves.
pub(super) const WORD: usize = 8;

/// What a send reads from.
#[derive(Debug)]
pub(super) enum Data {
    /// The caller's memory, which a request lends.
    Lent(Memory),
    /// A copy: the call that sent it has returned.
    Copied(Vec<u8>),
}
impl Data {
    fn len(&self) -> usize {
        match self {
            Data::Lent(memory) => memory.len(),
            Data::Copied(bytes) => bytes.len(),
        }
    }
    fn read(&self, byte: usize) -> u8 {
        match self {
            Data::Lent(memory) => memory.read(byte),
            Data::Copied(bytes) => bytes[byte],
        }
    }
}

#[derive(Debug)]
pub(super) struct Send {
    pub comm: usize,
    pub tag: c_int,
    pub data: Data,
    /// None if nobody waits for it.
    pub request: Option<usize>,
}
impl Send {
    fn matches(&self, comm: usize, tag: c_int) -> bool {
        self.comm == comm && (tag == self.tag || tag == MPI_ANY_TAG)
    }
    pub(super) fn status(&self) -> MPI_Status {
        MPI_Status { MPI_SOURCE: 0, MPI_TAG: self.tag, MPI_ERROR: MPI_SUCCESS, bytes: self.data.len() }
    }
}

#[derive(Debug)]
struct Receive {
    comm: usize,
    tag: c_int,
    into: Memory,
    request: usize,
}

/// Bytes under way. When the last one has moved, its requests are complete.
#[derive(Debug)]
struct Transfer {
    what: Moving,
    bytes: usize,
    moved: usize,
    /// Calls that pass before anything moves.
    idle: u32,
    done: Vec<(usize, Outcome)>,
}

#[derive(Debug)]
enum Moving {
    Message(Data, Memory),
    Collective(Copying),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub code: c_int,
    pub status: MPI_Status,
}
impl Outcome {
    pub(super) const PLAIN: Outcome = Outcome { code: MPI_SUCCESS, status: EMPTY };
}

/// A live handle.
#[derive(Debug)]
pub(super) struct Request {
    pub comm: usize,
    pub outcome: Option<Outcome>,
    /// A test wants it never to complete: see `hooks`.
    pub stuck: bool,
    /// What a start does; the handle then outlives completion.
    pub persistent: Option<Persistent>,
    pub generalized: Option<Generalized>,
}

#[derive(Debug)]
pub(super) struct Traffic {
    sends: Vec<Send>,
    receives: Vec<Receive>,
    transfers: Vec<Transfer>,
    /// Matched by `MPI_Mprobe`, not received yet.
    pub messages: BTreeMap<usize, Send>,
    pub requests: BTreeMap<usize, Request>,
    /// Partitioned messages.
    pub channels: Vec<Channel>,
    /// What persistent requests of collectives do.
    pub collectives: BTreeMap<usize, Copying>,
}

impl Traffic {
    pub(super) const fn new() -> Self {
        Traffic {
            sends: Vec::new(),
            receives: Vec::new(),
            transfers: Vec::new(),
            messages: BTreeMap::new(),
            requests: BTreeMap::new(),
            channels: Vec::new(),
            collectives: BTreeMap::new(),
        }
    }

    /// How many operations hold memory of the user.
    pub(super) fn in_flight(&self) -> usize {
        let lent = |send: &&Send| matches!(send.data, Data::Lent(_));
        self.sends.iter().chain(self.messages.values()).filter(lent).count()
            + self.receives.len()
            + self.transfers.len()
            + self.channels.iter().map(Channel::in_flight).sum::<usize>()
    }

    pub(super) fn request(&mut self, comm: usize) -> usize {
        let name = fresh_name();
        self.requests
            .insert(name, Request { comm, outcome: None, stuck: false, persistent: None, generalized: None });
        name
    }

    pub(super) fn complete(&mut self, request: usize, outcome: Outcome) {
        // A blocking call that failed may have taken its request away.
        if let Some(request) = self.requests.get_mut(&request) {
            request.outcome = Some(outcome);
        }
    }

    pub(super) fn send(&mut self, send: Send) {
        self.sends.push(send);
        self.step();
    }

    pub(super) fn receive(&mut self, comm: usize, tag: c_int, into: Memory) -> usize {
        let request = self.request(comm);
        self.receive_for(request, comm, tag, into);
        request
    }

    pub(super) fn receive_for(&mut self, request: usize, comm: usize, tag: c_int, into: Memory) {
        self.receives.push(Receive { comm, tag, into, request });
        self.step();
    }

    /// Whether a receive waits for such a message: what the ready mode wants.
    pub(super) fn is_awaited(&self, comm: usize, tag: c_int) -> bool {
        let matches =
            |receive: &Receive| receive.comm == comm && (receive.tag == tag || receive.tag == MPI_ANY_TAG);
        self.receives.iter().any(matches)
    }

    /// Withdraws a receive, if it is not matched.
    pub(super) fn cancel(&mut self, request: usize) {
        if let Some(i) = self.receives.iter().position(|receive| receive.request == request) {
            self.receives.remove(i);
            self.complete(request, Outcome { code: MPI_SUCCESS, status: CANCELLED });
        }
    }

    /// The first message that a receive with this tag would get.
    pub(super) fn find(&self, comm: usize, tag: c_int) -> Option<&Send> {
        self.sends.iter().find(|send| send.matches(comm, tag))
    }
    pub(super) fn take(&mut self, comm: usize, tag: c_int) -> Option<Send> {
        let i = self.sends.iter().position(|send| send.matches(comm, tag))?;
        Some(self.sends.remove(i))
    }

    /// Starts to move a message into memory. Never writes past the room there is.
    pub(super) fn deliver(&mut self, send: Send, into: Memory, request: usize) {
        let (len, room) = (send.data.len(), into.len());
        let (bytes, code) = if len > room { (room, TRUNCATED) } else { (len, MPI_SUCCESS) };
        let status = MPI_Status { bytes, MPI_ERROR: code, ..send.status() };
        let mut done = vec![(request, Outcome { code, status })];
        done.extend(send.request.map(|request| (request, Outcome::PLAIN)));
        let what = Moving::Message(send.data, into);
        self.transfers.push(Transfer { what, bytes, moved: 0, idle: 0, done });
    }

    /// Starts a collective of one rank: its input becomes its result, after a few calls.
    pub(super) fn copy(&mut self, request: usize, copying: Copying, idle: u32) {
        let (bytes, code) = (copying.bytes(), copying.code());
        let done = vec![(request, Outcome { code, status: EMPTY })];
        self.transfers.push(Transfer { what: Moving::Collective(copying), bytes, moved: 0, idle, done });
    }

    /// Matches what can be matched, then moves one word of everything under way. Whether anything changed.
    pub(super) fn step(&mut self) -> bool {
        let matched = self.match_all();
        let busy = !self.transfers.is_empty();
        self.transfers.iter_mut().for_each(Transfer::step);
        for transfer in self.transfers.extract_if(.., |transfer| transfer.is_done()).collect::<Vec<_>>() {
            transfer.done.into_iter().for_each(|(request, outcome)| self.complete(request, outcome));
        }
        let partitioned = self.step_channels();
        matched || busy || partitioned
    }

    fn match_all(&mut self) -> bool {
        let mut any = false;
        let mut i = 0;
        while let Some(send) = self.sends.get(i) {
            match self.receives.iter().position(|receive| send.matches(receive.comm, receive.tag)) {
                Some(j) => {
                    let (send, receive) = (self.sends.remove(i), self.receives.remove(j));
                    self.deliver(send, receive.into, receive.request);
                    any = true;
                }
                None => i += 1,
            }
        }
        any
    }
}

impl Transfer {
    fn step(&mut self) {
        if let Moving::Collective(copying) = &self.what {
            copying.kept.iter().for_each(Kept::look);
        }
        if self.idle > 0 {
            self.idle -= 1;
            return;
        }
        let end = self.bytes.min(self.moved + WORD);
        for byte in self.moved..end {
            match &self.what {
                Moving::Message(from, into) => into.write(byte, from.read(byte)),
                Moving::Collective(copying) => copying.step(byte),
            }
        }
        self.moved = end;
        if let (Moving::Collective(copying), true) = (&self.what, self.is_done()) {
            copying.finish();
        }
    }

    fn is_done(&self) -> bool {
        self.idle == 0 && self.moved == self.bytes
    }
}
