//! Running one rank's part of a program, and comparing with the model.

use crate::program::{Element, Finish, Kind, Layout, Message, Program, WIDTH, memory};
use mpi::buffer::{LendRecv, LendSend, Strided, StridedMut};
use mpi::request::{Loan, RecvRequest, Request, Test};
use mpi::{Communicator, Received, Result, Scope, Source, Status, Tag};
use std::mem;

/// What an operation in flight says once it is complete: what is wrong, if anything.
type InFlight<'s> = Box<dyn FnOnce() -> Result<Option<String>> + 's>;

/// The memory of one side of one message.
enum Memory {
    Byte(Vec<u8>),
    Double(Vec<f64>),
    Triple(Vec<[i16; 3]>),
}

impl Memory {
    fn new(kind: Kind, layout: Layout, room: usize, filled: usize, message: usize) -> Memory {
        match kind {
            Kind::Byte => Memory::Byte(memory(layout, room, filled, message)),
            Kind::Double => Memory::Double(memory(layout, room, filled, message)),
            Kind::Triple => Memory::Triple(memory(layout, room, filled, message)),
        }
    }

    fn holds_what(&self, expected: &Memory) -> bool {
        match (self, expected) {
            (Memory::Byte(a), Memory::Byte(b)) => a == b,
            (Memory::Double(a), Memory::Double(b)) => a == b,
            (Memory::Triple(a), Memory::Triple(b)) => a == b,
            _ => false,
        }
    }
}

/// Runs this rank's part. The differences to the model come back, in words.
pub fn run(world: &Communicator, program: &Program) -> Result<Vec<String>> {
    let me = world.rank();
    let sent: Vec<Memory> =
        program.messages().map(|(i, m)| Memory::new(m.kind, m.sent_as, m.len, m.len, i)).collect();
    let mut received: Vec<Memory> =
        program.messages().map(|(i, m)| Memory::new(m.kind, m.received_as, m.len + m.spare, 0, i)).collect();

    let mut differences = Vec::new();
    world.scope(|s| {
        let mut next = received.iter_mut().zip(&sent).zip(program.messages());
        for (at, round) in program.rounds.iter().enumerate() {
            // A rank may be rounds ahead: a wildcard could take what it sends already.
            let to_me = program.rounds[at..].iter().flatten().filter(|m| m.to == me).count();
            let mut posted = Vec::new();
            for ((into, from), (number, message)) in next.by_ref().take(round.len()) {
                if message.to == me {
                    posted.push((message.receive_ends, receive(s, into, message, to_me == 1)?));
                }
                if message.from == me {
                    posted.push((message.send_ends, send(s, from, message, number)?));
                }
            }
            for (finish, operation) in posted {
                match finish {
                    Finish::Wait | Finish::Test | Finish::Defer => differences.extend(operation()?),
                    Finish::Drop => drop(operation),
                    Finish::Forget => mem::forget(operation),
                }
            }
        }
        Ok(())
    })?;

    for ((number, message), memory) in program.messages().zip(&received) {
        let filled = if message.to == me { message.len } else { 0 };
        let expected =
            Memory::new(message.kind, message.received_as, message.len + message.spare, filled, number);
        if !memory.holds_what(&expected) {
            differences.push(format!("message {number} left other memory than the model: {message:?}"));
        }
    }
    Ok(differences)
}

/// `Finish` of an operation, when its turn comes.
fn in_flight<'s, L: Loan + 's>(
    request: Request<'s, L>,
    finish: Finish,
    check: impl FnOnce(L::Output) -> Option<String> + 's,
) -> InFlight<'s> {
    Box::new(move || match finish {
        Finish::Test => {
            let mut request = request;
            loop {
                match request.test()? {
                    Test::Done(output) => return Ok(check(output)),
                    Test::Pending(back) => request = back,
                }
            }
        }
        Finish::Defer => {
            request.defer();
            Ok(None)
        }
        _ => request.wait().map(check),
    })
}

fn send<'s>(s: Scope<'s, '_>, memory: &'s Memory, message: &Message, number: usize) -> Result<InFlight<'s>> {
    match memory {
        Memory::Byte(m) => send_from(s, m, message, number),
        Memory::Double(m) => send_from(s, m, message, number),
        Memory::Triple(m) => send_from(s, m, message, number),
    }
}

fn send_from<'s, T: Element>(
    s: Scope<'s, '_>,
    memory: &'s [T],
    m: &Message,
    number: usize,
) -> Result<InFlight<'s>> {
    match m.sent_as {
        Layout::Slice => {
            let back = move |slice: &[T]| {
                (slice.first() != first::<T>(number, slice.len()).as_ref())
                    .then(|| format!("message {number}: the send gave another slice back"))
            };
            Ok(in_flight(s.isend(memory, m.to, m.tag)?, m.send_ends, back))
        }
        Layout::Column => {
            let column = Strided::new(memory, usize::from(m.len > 0), m.len, 1, WIDTH)?;
            send_view(s, column, m)
        }
    }
}

fn first<T: Element>(number: usize, len: usize) -> Option<T> {
    (len > 0).then(|| T::value(number, 0))
}

fn send_view<'s, B: LendSend<'s> + 's>(s: Scope<'s, '_>, view: B, m: &Message) -> Result<InFlight<'s>> {
    Ok(in_flight(s.isend(view, m.to, m.tag)?, m.send_ends, |_| None))
}

fn receive<'s>(s: Scope<'s, '_>, memory: &'s mut Memory, m: &Message, alone: bool) -> Result<InFlight<'s>> {
    match memory {
        Memory::Byte(v) => receive_into(s, v, m, alone),
        Memory::Double(v) => receive_into(s, v, m, alone),
        Memory::Triple(v) => receive_into(s, v, m, alone),
    }
}

fn receive_into<'s, T: Element>(
    s: Scope<'s, '_>,
    memory: &'s mut [T],
    m: &Message,
    alone: bool,
) -> Result<InFlight<'s>> {
    match m.received_as {
        Layout::Slice => {
            let request = post(s, memory, m, alone)?;
            let (len, from, tag) = (m.len, m.from, m.tag);
            Ok(in_flight(request, m.receive_ends, move |got| wrong::<T>(got.status, len, from, tag)))
        }
        Layout::Column => {
            let room = m.len + m.spare;
            let column = StridedMut::new(memory, usize::from(room > 0), room, 1, WIDTH)?;
            let request = post(s, column, m, alone)?;
            let (len, from, tag) = (m.len, m.from, m.tag);
            Ok(in_flight(request, m.receive_ends, move |got: Received<_>| {
                wrong::<T>(got.status, len, from, tag)
            }))
        }
    }
}

/// Posts a receive: by wildcards only where no other message is still to come that could be taken for this one.
fn post<'s, B: LendRecv<'s>>(
    s: Scope<'s, '_>,
    buf: B,
    m: &Message,
    alone: bool,
) -> Result<RecvRequest<'s, B>> {
    let waited = m.receive_ends == Finish::Wait || m.receive_ends == Finish::Test;
    if m.by_wildcard && alone && waited {
        s.irecv(buf, Source::ANY, Tag::ANY)
    } else {
        s.irecv(buf, m.from, m.tag)
    }
}

fn wrong<T: Element>(status: Status, len: usize, from: usize, tag: i32) -> Option<String> {
    let right = status.source() == Some(from) && status.tag() == tag && status.count::<T>() == Some(len);
    (!right).then(|| {
        format!(
            "expected {len} elements from {from} with tag {tag}, got {:?} in {status:?}",
            status.count::<T>()
        )
    })
}
