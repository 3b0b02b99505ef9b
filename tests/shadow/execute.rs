//! Running one rank's part of a program, and comparing with the model.

use crate::element::Memory;
use crate::owned::AllSets;
use crate::plans::Persistent;
use crate::probed::{awaited, matched};
use crate::program::{Program, ReceiveBy, Round, SendBy};
use crate::scoped::Hands;
use crate::sets::Shadowed;
use crate::swaps::Ring;
use mpi::request::RequestSet;
use mpi::{Communicator, Result};

/// Runs this rank's part. The differences to the model come back, in words.
///
/// `other` is a communicator for the plan and the exchanges, so that no wildcard takes what is theirs.
pub fn run(world: &Communicator, other: &Communicator, program: &Program) -> Result<Vec<String>> {
    let me = world.rank();
    let sent: Vec<Memory> =
        program.messages().map(|(i, m)| Memory::new(m.kind, m.sent_as, m.len, m.len, i)).collect();
    let mut received: Vec<Memory> =
        program.messages().map(|(i, m)| Memory::new(m.kind, m.received_as, m.len + m.spare, 0, i)).collect();
    let rings: Vec<Option<Ring>> = rounds(program)
        .map(|(at, round)| round.swap.as_ref().map(|swap| Ring::new(world, at, swap)))
        .collect();
    let outgoing: Vec<Vec<f64>> = rings.iter().flatten().map(Ring::outgoing).collect();
    let mut rooms: Vec<Vec<f64>> = rings.iter().flatten().map(Ring::room).collect();

    let mut differences = Vec::new();
    let mut plan = Persistent::new(other, &program.plan)?;
    let mut owned_sets = AllSets::new();
    world.scope(|s| {
        let mut set = Shadowed::new(RequestSet::with_capacity(s, 1));
        let mut next = received.iter_mut().zip(&sent).zip(program.messages());
        let mut buffers = outgoing.iter().zip(&mut rooms);
        for ((at, round), ring) in rounds(program).zip(&rings) {
            // A rank may be rounds ahead: a wildcard could take what it sends already.
            let ahead = program.rounds[at..].iter().flat_map(|round| &round.messages);
            let alone = ahead.filter(|m| m.to == me).count() == 1;
            plan.step(at, round.flight_ends, &mut differences, |differences| {
                let (mut posted, mut expected) = (Vec::new(), Vec::new());
                for ((into, from), (number, m)) in next.by_ref().take(round.messages.len()) {
                    let mut hands = Hands { posted: &mut posted, set: &mut set };
                    if m.to == me {
                        match m.receive_by {
                            ReceiveBy::Scope | ReceiveBy::ScopeSet => {
                                hands.receive(s, into, m, number, alone)?
                            }
                            ReceiveBy::Owned | ReceiveBy::OwnedSet => {
                                owned_sets.receive(world, hands.posted, m, number, alone)?;
                            }
                            ReceiveBy::Awaited => expected.push(awaited(s, m, number)?),
                            ReceiveBy::Matched => expected.push(matched(s, into, m, number)),
                        }
                    }
                    if m.from == me {
                        match m.send_by {
                            SendBy::Scope | SendBy::ScopeSet => {
                                Hands { posted: &mut posted, set: &mut set }.send(s, from, m, number)?;
                            }
                            SendBy::Owned | SendBy::OwnedSet => {
                                owned_sets.send(world, &mut posted, m, number)?;
                            }
                        }
                    }
                }
                let buffers = ring.as_ref().and_then(|ring| Some((ring, buffers.next()?)));
                // First what somebody must take actively: its sender may be waiting for it, and for nothing of ours.
                for take in expected {
                    differences.extend(take()?);
                }
                if let (Some((ring, (outgoing, room))), Some(swap)) = (buffers, &round.swap) {
                    differences.extend(ring.wait(other, outgoing, room)?);
                    posted.extend(ring.start(s.on(other), outgoing, room, swap)?);
                }
                for request in posted {
                    differences.extend(request.finish()?);
                }
                set.step(round.scope_set, &mut |number, answer| one(differences, number, answer))?;
                owned_sets.step(round.owned_set, program, differences)
            })?;
        }
        set.end(program.sets_end, &mut |number, answer| one(&mut differences, number, answer))
    })?;
    owned_sets.end(program.sets_end, program, &mut differences)?;
    plan.end()?;

    for ((number, m), memory) in program.messages().zip(&received) {
        let filled = if m.to == me && m.is_left_in_memory() { m.len } else { 0 };
        let expected = Memory::new(m.kind, m.received_as, m.len + m.spare, filled, number);
        if !memory.holds_what(&expected) {
            differences.push(format!("message {number} left other memory than the model: {m:?}"));
        }
    }
    differences.extend(rings.iter().flatten().zip(&rooms).filter_map(|(ring, room)| ring.check(room)));
    Ok(differences)
}

fn rounds(program: &Program) -> impl Iterator<Item = (usize, &Round)> {
    program.rounds.iter().enumerate()
}

/// An answer of the scope's set: it must be that of the request whose index it has.
fn one(differences: &mut Vec<String>, number: usize, (own, wrong): (usize, Option<String>)) {
    if own != number {
        differences.push(format!("the set gave message {own} for {number}"));
    }
    differences.extend(wrong);
}
