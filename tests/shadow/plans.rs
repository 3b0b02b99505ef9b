//! A plan over arrays of all element types, started in every round with new values.

use crate::element::{Element, differs};
use crate::program::{Finish, Part};
use mpi::persistent::{ArrayId, Flight, Plan};
use mpi::request::Test;
use mpi::{Communicator, Result};
use std::mem;
use std::ops::Range;

/// What is sent from and received into one array, block after block, with an element between them that is nobody's.
struct Side<T> {
    id: ArrayId<T>,
    /// Which part each block belongs to.
    blocks: Vec<(usize, Range<usize>)>,
    len: usize,
}

impl<T: Element> Side<T> {
    fn new(plan: &mut Plan<'_>, parts: impl Iterator<Item = (usize, usize)>) -> Self {
        let (mut blocks, mut len) = (vec![], 0);
        for (part, room) in parts {
            blocks.push((part, len..len + room));
            len += room + 1;
        }
        Side { id: plan.array(vec![T::UNTOUCHED; len]), blocks, len }
    }

    /// The array as a step must leave it: of each block so many elements.
    fn model(&self, parts: &[Part], step: usize) -> Vec<T> {
        let mut model = vec![T::UNTOUCHED; self.len];
        for (part, block) in &self.blocks {
            let filled = &mut model[block.start..block.start + parts[*part].len];
            filled.iter_mut().enumerate().for_each(|(i, x)| *x = T::value(number(step, *part), i));
        }
        model
    }
}

fn number(step: usize, part: usize) -> usize {
    500 + 20 * step + part
}

/// The arrays of one element type.
struct Arrays<T> {
    outgoing: Side<T>,
    incoming: Side<T>,
}

impl<T: Element> Arrays<T> {
    fn new(plan: &mut Plan<'_>, parts: &[Part], me: usize) -> Result<Self> {
        let ours = || parts.iter().enumerate().filter(|(_, part)| part.kind == T::KIND);
        let outgoing = ours().filter(|(_, part)| part.from == me).map(|(i, part)| (i, part.len));
        let incoming = ours().filter(|(_, part)| part.to == me).map(|(i, part)| (i, part.len + part.spare));
        let outgoing = Side::new(plan, outgoing);
        let incoming = Side::new(plan, incoming);
        // The tag is the part's: operations of one plan may be started in any order.
        for (i, block) in &outgoing.blocks {
            plan.send(outgoing.id, block.clone(), parts[*i].to, *i as i32)?;
        }
        for (i, block) in &incoming.blocks {
            plan.recv(incoming.id, block.clone(), parts[*i].from, *i as i32)?;
        }
        Ok(Arrays { outgoing, incoming })
    }

    fn fill(&self, plan: &mut Plan<'_>, parts: &[Part], step: usize) -> Result<()> {
        plan.get_mut(self.outgoing.id)?.copy_from_slice(&self.outgoing.model(parts, step));
        plan.get_mut(self.incoming.id)?.fill(T::UNTOUCHED);
        Ok(())
    }

    /// In flight, what is sent can be read.
    fn check_in_flight(
        &self,
        flight: &Flight<'_, '_>,
        parts: &[Part],
        step: usize,
    ) -> Result<Option<String>> {
        let model = self.outgoing.model(parts, step);
        let view = flight.view(self.outgoing.id, 0..self.outgoing.len)?;
        let seen: Vec<T> = view.iter().copied().collect();
        Ok(differs(&seen, &model, format_args!("{:?} of the plan in flight", T::KIND)))
    }

    fn check(&self, plan: &Plan<'_>, parts: &[Part], step: usize) -> Result<Option<String>> {
        let (sent, got) = (plan.get(self.outgoing.id)?, plan.get(self.incoming.id)?);
        let what = |side| format!("{:?} {side} by the plan in step {step}", T::KIND);
        let wrong = differs(got, &self.incoming.model(parts, step), what("received"));
        Ok(wrong.or_else(|| differs(sent, &self.outgoing.model(parts, step), what("sent"))))
    }

    fn take(self, plan: &mut Plan<'_>) -> Result<()> {
        assert_eq!(plan.take(self.outgoing.id)?.len(), self.outgoing.len);
        assert_eq!(plan.take(self.incoming.id)?.len(), self.incoming.len);
        Ok(())
    }
}

/// One rank's plan.
pub struct Persistent<'c, 'p> {
    plan: Plan<'c>,
    parts: &'p [Part],
    bytes: Arrays<u8>,
    doubles: Arrays<f64>,
    triples: Arrays<[i16; 3]>,
}

impl<'c, 'p> Persistent<'c, 'p> {
    pub fn new(comm: &'c Communicator, parts: &'p [Part]) -> Result<Self> {
        let mut plan = Plan::new(comm);
        let me = comm.rank();
        let bytes = Arrays::new(&mut plan, parts, me)?;
        let doubles = Arrays::new(&mut plan, parts, me)?;
        let triples = Arrays::new(&mut plan, parts, me)?;
        Ok(Persistent { plan, parts, bytes, doubles, triples })
    }

    /// Starts all operations, does the rest of the round, then ends the flight.
    pub fn step(
        &mut self,
        step: usize,
        ends: Finish,
        differences: &mut Vec<String>,
        round: impl FnOnce(&mut Vec<String>) -> Result<()>,
    ) -> Result<()> {
        let Persistent { plan, parts, bytes, doubles, triples } = self;
        bytes.fill(plan, parts, step)?;
        doubles.fill(plan, parts, step)?;
        triples.fill(plan, parts, step)?;
        let mut flight = plan.start()?;
        round(differences)?;
        differences.extend(bytes.check_in_flight(&flight, parts, step)?);
        differences.extend(doubles.check_in_flight(&flight, parts, step)?);
        differences.extend(triples.check_in_flight(&flight, parts, step)?);
        match ends {
            Finish::Wait | Finish::Defer => flight.wait()?,
            Finish::Test => {
                while let Test::Pending(back) = flight.test()? {
                    flight = back;
                }
            }
            Finish::Drop => drop(flight),
            Finish::Forget => mem::forget(flight), // whoever looks at an array waits
        }
        differences.extend(bytes.check(plan, parts, step)?);
        differences.extend(doubles.check(plan, parts, step)?);
        differences.extend(triples.check(plan, parts, step)?);
        Ok(())
    }

    /// Takes the plan apart.
    pub fn end(mut self) -> Result<()> {
        self.bytes.take(&mut self.plan)?;
        self.triples.take(&mut self.plan)?;
        self.doubles.take(&mut self.plan)?;
        assert_eq!(self.plan.operations(), 0);
        Ok(())
    }
}
