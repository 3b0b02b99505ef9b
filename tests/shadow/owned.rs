//! Messages whose buffers belong to their requests, one by one and in sets.

use crate::element::{Element, differs, memory, wrong};
use crate::operation::Posted;
use crate::program::{Finish, Kind, Layout, Message, Program, ReceiveBy, SendBy, Step};
use crate::scoped::by_wildcard;
use crate::sets::Shadowed;
use mpi::request::{Incoming, Outgoing, PendingSet};
use mpi::{Communicator, Received, Result, Source, Tag};

/// The sets of one element type.
pub struct Sets<T> {
    receives: Shadowed<PendingSet<Vec<T>, Incoming>>,
    sends: Shadowed<PendingSet<Vec<T>, Outgoing>>,
}
impl<T> Sets<T> {
    fn new() -> Self {
        Sets { receives: Shadowed::new(PendingSet::new()), sends: Shadowed::new(PendingSet::new()) }
    }
}

/// All sets of owned requests of one rank.
pub struct AllSets {
    bytes: Sets<u8>,
    doubles: Sets<f64>,
    triples: Sets<[i16; 3]>,
}

/// What is wrong with a message that has come, if anything.
fn check<T: Element>(got: &Received<Vec<T>>, m: &Message, number: usize) -> Option<String> {
    let expected = memory(Layout::Slice, m.len + m.spare, m.len, number);
    wrong::<T>(got.status, m.len, m.from, m.tag)
        .or_else(|| differs(&got.data, &expected, format_args!("owned receive {number}")))
}

/// What is wrong with a buffer that was sent, if anything.
fn check_sent<T: Element>(back: &[T], m: &Message, number: usize) -> Option<String> {
    differs(back, &memory(Layout::Slice, m.len, m.len, number), format_args!("owned send {number}"))
}

impl<T: Element> Sets<T> {
    fn send(
        &mut self,
        world: &Communicator,
        posted: &mut Vec<Posted<'_>>,
        m: &Message,
        number: usize,
    ) -> Result<()> {
        let request = world.isend(memory::<T>(Layout::Slice, m.len, m.len, number), m.to, m.tag)?;
        if m.send_by == SendBy::OwnedSet {
            self.sends.push(request, number);
        } else {
            let message = m.clone();
            posted.push(Posted::new(request, m.send_ends, move |back| check_sent(&back, &message, number)));
        }
        Ok(())
    }

    fn receive(
        &mut self,
        world: &Communicator,
        posted: &mut Vec<Posted<'_>>,
        m: &Message,
        number: usize,
        alone: bool,
    ) -> Result<()> {
        let room = memory::<T>(Layout::Slice, m.len + m.spare, 0, number);
        let request = if by_wildcard(m, alone) {
            world.irecv(room, Source::ANY, Tag::ANY)?
        } else {
            world.irecv(room, m.from, m.tag)?
        };
        if m.receive_by == ReceiveBy::OwnedSet {
            self.receives.push(request, number);
        } else {
            let message = m.clone();
            posted.push(Posted::new(request, m.receive_ends, move |got| check(&got, &message, number)));
        }
        Ok(())
    }

    fn step(&mut self, step: Step, messages: &[&Message], differences: &mut Vec<String>) -> Result<()> {
        self.receives
            .step(step, &mut |number, got| differences.extend(check(&got, messages[number], number)))?;
        self.sends.step(step, &mut |number, back: Vec<T>| {
            differences.extend(check_sent(&back, messages[number], number));
        })
    }

    fn end(self, ends: Finish, messages: &[&Message], differences: &mut Vec<String>) -> Result<()> {
        self.receives
            .end(ends, &mut |number, got| differences.extend(check(&got, messages[number], number)))?;
        self.sends.end(ends, &mut |number, back: Vec<T>| {
            differences.extend(check_sent(&back, messages[number], number));
        })
    }
}

impl AllSets {
    pub fn new() -> Self {
        AllSets { bytes: Sets::new(), doubles: Sets::new(), triples: Sets::new() }
    }

    pub fn send(
        &mut self,
        world: &Communicator,
        posted: &mut Vec<Posted<'_>>,
        m: &Message,
        number: usize,
    ) -> Result<()> {
        match m.kind {
            Kind::Byte => self.bytes.send(world, posted, m, number),
            Kind::Double => self.doubles.send(world, posted, m, number),
            Kind::Triple => self.triples.send(world, posted, m, number),
        }
    }

    pub fn receive(
        &mut self,
        world: &Communicator,
        posted: &mut Vec<Posted<'_>>,
        m: &Message,
        number: usize,
        alone: bool,
    ) -> Result<()> {
        match m.kind {
            Kind::Byte => self.bytes.receive(world, posted, m, number, alone),
            Kind::Double => self.doubles.receive(world, posted, m, number, alone),
            Kind::Triple => self.triples.receive(world, posted, m, number, alone),
        }
    }

    pub fn step(&mut self, step: Step, program: &Program, differences: &mut Vec<String>) -> Result<()> {
        let messages: Vec<_> = program.messages().map(|(_, message)| message).collect();
        self.bytes.step(step, &messages, differences)?;
        self.doubles.step(step, &messages, differences)?;
        self.triples.step(step, &messages, differences)
    }

    pub fn end(self, ends: Finish, program: &Program, differences: &mut Vec<String>) -> Result<()> {
        let messages: Vec<_> = program.messages().map(|(_, message)| message).collect();
        self.bytes.end(ends, &messages, differences)?;
        self.doubles.end(ends, &messages, differences)?;
        self.triples.end(ends, &messages, differences)
    }
}
