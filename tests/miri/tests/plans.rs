//! Plans while MPI reads and writes: what can be seen in flight, and that nothing is left behind.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::persistent::{Block, Flight, Plan};
use mpi::request::Test;
use mpi::test_support::hooks::{self, Pending};
use mpi::{Communicator, ErrorClass, Result, Source, Tag};
use mpi_miri::{class, world};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A field of 6 x 6 with a border of ghosts, whose opposite edges meet: four receives and four sends to oneself.
fn halo<'c>(
    comm: &'c Communicator,
) -> Result<(Plan<'c>, mpi::persistent::ArrayId<u64>, mpi::persistent::ArrayId<f32>)> {
    let mut plan = Plan::new(comm);
    let field = plan.grid(vec![0u64; 36], 6, 6)?;
    let other = plan.array([0.0f32; 43]);
    plan.recv(field, (0, 1..5), 0, 1)?.recv(field, (5, 1..5), 0, 2)?;
    plan.recv(field, (1..5, 0), 0, 3)?.recv(field, (1..5, 5), 0, 4)?;
    plan.send(field, (4, 1..5), 0, 1)?.send(field, (1, 1..5), 0, 2)?;
    plan.send(field, (1..5, 4), 0, 3)?.send(field, (1..5, 1), 0, 4)?;
    plan.send(other, 0..20, 0, 5)?.recv(other, 23..43, 0, 5)?;
    Ok((plan, field, other))
}

/// How often a flight had to be tested, until it was complete. It moves while MPI reads and writes.
fn polls(flight: Flight<'_, '_>) -> Result<usize> {
    let (mut flight, mut polls) = (Box::new(flight), 0);
    loop {
        match flight.test()? {
            Test::Done(()) => return Ok(polls),
            Test::Pending(again) => (flight, polls) = (Box::new(again), polls + 1),
        }
    }
}

#[test]
fn several_arrays_start_together_and_the_interior_is_used_in_flight() {
    let world = world();
    let (mut plan, field, other) = halo(&world).unwrap();
    for round in 0..3 {
        let cells = plan.get_mut(field).unwrap();
        cells.iter_mut().zip(0..).for_each(|(cell, i)| *cell = 100 * round + i);
        plan.get_mut(other).unwrap()[..20].fill(round as f32);
        let mut flight = plan.start().unwrap();
        // Read what is sent, write what is neither sent nor received.
        let edges = flight.view(field, Block::new(1..5, 1..5)).unwrap();
        assert_eq!((edges[(0, 0)], edges.iter().count()), (100 * round + 7, 16));
        let mut inner = flight.view_mut(field, (2..4, 2..4)).unwrap();
        inner.row_mut(0)[1] += 1000;
        inner[(1, 1)] += 2000;
        let (row, mut one) = flight.pair((field, (1, 1..5)), (other, 20..21)).unwrap();
        one[(0, 0)] = row.row(0)[3] as f32;
        assert!(polls(flight).unwrap() > 0, "messages arrive word by word");
        let at = |r: u64, c: u64| 100 * round + 6 * r + c;
        let cells = plan.get(field).unwrap();
        for i in 1..5 {
            let cell = |r: u64, c: u64| cells[(6 * r + c) as usize];
            assert_eq!((cell(0, i), cell(5, i)), (at(4, i), at(1, i)));
            assert_eq!((cell(i, 0), cell(i, 5)), (at(i, 4), at(i, 1)));
        }
        assert_eq!((cells[15], cells[21]), (at(2, 3) + 1000, at(3, 3) + 2000));
        let (r, got) = (round as f32, plan.get(other).unwrap());
        assert_eq!((&got[..20], got[20], &got[23..]), (&[r; 20][..], at(1, 4) as f32, &[r; 20][..]));
    }
    assert_eq!(plan.take(field).unwrap().len(), 36);
    assert_eq!(plan.operations(), 2);
    plan.start().unwrap().wait().unwrap();
    assert_eq!(plan.take(other).unwrap().len(), 43);
}

#[test]
fn a_plan_moves_while_it_is_active() {
    let world = world();
    let (mut plan, field, _) = halo(&world).unwrap();
    plan.get_mut(field).unwrap().fill(7);
    mem::forget(plan.start().unwrap());
    let mut moved = vec![Box::new(plan)];
    assert!(hooks::in_flight() > 0);
    assert_eq!(moved[0].get_mut(field).unwrap()[1..5], [7; 4], "it waits first");
    assert_eq!(hooks::in_flight(), 0);
}

#[test]
fn forgotten_and_dropped_flights_are_completed_before_the_next_use() {
    let world = world();
    let mut plan = Plan::new(&world);
    let (from, into) = (plan.array([1u64, 2, 3, 4]), plan.array([0u64; 4]));
    plan.send(from, 0..4, 0, 1).unwrap().recv(into, 0..4, 0, 1).unwrap();
    mem::forget(plan.start().unwrap());
    mem::forget(plan.start().unwrap());
    assert_eq!(plan.get(into).unwrap(), [1, 2, 3, 4]);
    plan.get_mut(from).unwrap()[0] = 9;
    drop(plan.start().unwrap());
    assert_eq!(hooks::in_flight(), 0);
    let (sent, got) = plan.get_pair(from, into).unwrap();
    assert_eq!(sent, &*got);
    mem::forget(plan.start().unwrap());
    plan.send(from, 1..3, 0, 2).unwrap().recv(into, 0..0, None, 7).unwrap();
    assert_eq!(hooks::in_flight(), 0);
    Box::leak(Box::new(plan.start().unwrap()));
    let mut tail = world.recv_init([0u64; 2], Source::ANY, 2).unwrap();
    assert_eq!(tail.start().unwrap().wait().unwrap().count::<u64>(), Some(2));
    drop(plan); // waits, frees
    assert_eq!((hooks::in_flight(), hooks::requests()), (0, 1));
    assert_eq!(tail.into_inner().unwrap(), [2, 3]);
}

#[test]
fn a_failed_start_leaves_the_plan_active() {
    let world = world();
    let mut plan = Plan::new(&world);
    let (from, into) = (plan.array([5u64; 20]), plan.array(vec![0u64; 20]));
    plan.send(from, 0..20, 0, 1).unwrap().recv(into, 0..20, 0, 1).unwrap();
    plan.send(from, 0..1, 0, 2).unwrap();
    hooks::fail_start_after(2);
    assert_eq!(class(plan.start()), ErrorClass::OTHER);
    assert!(hooks::in_flight() > 0, "two of three operations were started");
    assert_eq!(plan.get(into).unwrap(), [5; 20], "they are waited for");
    drop(plan);
}

#[test]
fn a_truncated_message_is_an_error_and_the_plan_goes_on() {
    let world = world();
    for pending in [Pending::Never, Pending::Live] {
        hooks::leave_pending(pending);
        let mut plan = Plan::new(&world);
        let (from, into) = (plan.array([5u64; 8]), plan.array(vec![0u64; 20]));
        plan.recv(into, 0..2, 0, 1).unwrap().recv(into, 2..18, 0, 2).unwrap();
        plan.send(from, 0..8, 0, 1).unwrap().send(from, 0..8, 0, 2).unwrap();
        let flight = plan.start().unwrap();
        assert!(matches!(class(flight.wait()), ErrorClass::TRUNCATE | ErrorClass::IN_STATUS));
        assert_eq!(hooks::in_flight(), 0, "what was left pending was waited for");
        assert_eq!(plan.get(into).unwrap()[..11], [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0]);
        drop(plan.start().unwrap());
        assert!(plan.get(into).is_err(), "nobody has seen yet that it failed");
        assert!(plan.get(into).is_ok());
        assert!(matches!(class(polls(plan.start().unwrap())), ErrorClass::TRUNCATE | ErrorClass::IN_STATUS));
        assert!(plan.get(from).is_ok());
    }
    hooks::leave_pending(Pending::Never);
}

#[test]
fn a_panic_frees_what_is_not_in_flight() {
    let world = world();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let mut plan = Plan::new(&world);
        let array = plan.array([1u64, 2, 3, 0, 0, 0]);
        plan.send(array, 0..3, 0, 1).unwrap().recv(array, 3..6, 0, 1).unwrap();
        plan.start().unwrap().wait().unwrap();
        assert_eq!(plan.take(array).unwrap(), [0; 6]);
    }));
    assert!(caught.is_err());
    let idle = catch_unwind(AssertUnwindSafe(|| {
        let mut plan = Plan::new(&world);
        let array = plan.array([1u64; 6]);
        plan.send(array, 0..3, None, 1).unwrap().recv(array, 3..6, None, 1).unwrap();
        let _flight = plan.start().unwrap();
        panic!("a bug of the program");
    }));
    assert!(idle.is_err());
}

#[test]
fn wrong_ids_and_blocks_are_refused() {
    let world = world();
    let (mut one, mut other) = (Plan::new(&world), Plan::new(&world));
    let (a, b) = (one.array([1u64; 6]), other.array([2u64; 6]));
    let gone = one.array([0u8; 3]);
    assert_eq!(one.take(gone).unwrap(), [0; 3]);
    let next = one.array([1.5f64]);
    assert_eq!(class(one.take(gone)), ErrorClass::ARG);
    assert_eq!(class(one.get(b).map(|_| ())), ErrorClass::ARG);
    assert_eq!(class(one.send(gone, 0..1, 0, 0).map(|_| ())), ErrorClass::ARG);
    assert_eq!(class(one.get_pair(a, a).map(|_| ())), ErrorClass::ARG);
    assert_eq!(one.get(next).unwrap(), [1.5]);
    one.recv(a, 0..3, 0, 1).unwrap().send(a, 3..5, 0, 1).unwrap();
    assert_eq!(class(one.recv(a, 2..3, 0, 1).map(|_| ())), ErrorClass::BUFFER);
    assert_eq!(class(one.recv(a, 4..6, 0, 1).map(|_| ())), ErrorClass::BUFFER);
    assert_eq!(class(one.send(a, 0..6, 0, 1).map(|_| ())), ErrorClass::BUFFER);
    assert_eq!(class(one.send(a, 3..7, 0, 1).map(|_| ())), ErrorClass::BUFFER);
    let mut flight = one.start().unwrap();
    assert_eq!(class(flight.view(a, 2..4).map(|_| ())), ErrorClass::BUFFER);
    assert_eq!(class(flight.view_mut(a, 4..6).map(|_| ())), ErrorClass::BUFFER);
    assert_eq!(class(flight.view_mut(a, 5..7).map(|_| ())), ErrorClass::BUFFER);
    assert_eq!(class(flight.view(b, 0..1).map(|_| ())), ErrorClass::ARG);
    assert_eq!(class(flight.pair((a, 3..6), (a, 5..6)).map(|_| ())), ErrorClass::BUFFER);
    let (sent, mut free) = flight.pair((a, 3..5), (a, 5..6)).unwrap();
    free[(0, 0)] = sent[(0, 1)];
    flight.wait().unwrap();
    assert_eq!(class(Plan::new(&world).grid(Vec::<u8>::new(), 1 << 32, 1 << 32)), ErrorClass::BUFFER);
}

#[test]
fn elements_without_bytes_and_empty_arrays() {
    let world = world();
    let mut plan = Plan::new(&world);
    let (none, bare) = (plan.array(Vec::<u64>::new()), plan.grid(vec![[0u8; 0]; 6], 2, 3).unwrap());
    let flags = plan.array([true, false]);
    plan.send(none, 0..0, 0, 1).unwrap().recv(none, 0..0, 0, 1).unwrap();
    plan.send(bare, (0..2, 0), 0, 2).unwrap().recv(bare, (0..2, 1), 0, 2).unwrap();
    plan.send(flags, 0..2, 0, 3).unwrap();
    let flight = plan.start().unwrap();
    assert!(world.recv::<bool>(0, 3).is_err(), "two values, and one was asked for");
    flight.wait().unwrap();
    let flight = plan.start().unwrap();
    assert_eq!(world.recv_vec::<bool>(0, 3).unwrap().data, [true, false]);
    flight.wait().unwrap();
    assert_eq!((plan.get(none).unwrap().len(), plan.get(bare).unwrap().len()), (0, 6));
}

#[test]
fn one_operation_on_one_buffer() {
    let world = world();
    let mut send = world.send_init(vec![0u64; 9], 0, 3).unwrap();
    let mut receive = world.recv_init(vec![0u64; 9].into_boxed_slice(), Source::ANY, Tag::ANY).unwrap();
    for round in 0..3 {
        send.buffer_mut().unwrap().fill(round);
        let incoming = receive.start().unwrap();
        let outgoing = send.start().unwrap();
        assert_eq!(outgoing.buffer(), [round; 9]);
        let status = incoming.wait().unwrap();
        assert_eq!((status.source(), status.tag().get(), status.count::<u64>()), (Some(0), 3, Some(9)));
        outgoing.wait().unwrap();
        assert_eq!(receive.buffer().unwrap(), [round; 9]);
    }
    let mut incoming = receive.start().unwrap();
    mem::forget(send.start().unwrap());
    let status = loop {
        match incoming.test().unwrap() {
            Test::Done(status) => break status,
            Test::Pending(again) => incoming = again,
        }
    };
    assert_eq!(status.source(), Some(0));
    let mut nothing = world.recv_init([4u8; 3], None, 3).unwrap();
    let status = nothing.start().unwrap().wait().unwrap();
    assert_eq!((status.source(), status.count::<u8>()), (None, Some(0)));
    assert_eq!(nothing.into_inner().unwrap(), [4; 3]);
    assert_eq!(receive.into_inner().unwrap(), send.into_inner().unwrap());
    assert_eq!(class(world.send_init([1u8], 1, 0)), ErrorClass::RANK);
}
