//! Plans and partitioned messages over borrowed memory, which a scope completes whatever becomes of them.
#![allow(clippy::forget_non_drop, reason = "nothing may hang on a destructor, today's or tomorrow's")]

use mpi::persistent::{Block, ScopedPlan};
use mpi::request::Test;
use mpi::test_support::hooks::{self, Pending};
use mpi::{Error, ErrorClass, Result};
use mpi_miri::{MANY, class, world};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// How a flight is left behind.
const WAYS: [fn(&mut ScopedPlan<'_>) -> Result<()>; 4] = [
    |plan| plan.start()?.wait(),
    |plan| plan.start().map(drop),
    |plan| plan.start().map(mem::forget),
    |plan| {
        let mut flight = Box::new(plan.start()?);
        while let Test::Pending(again) = flight.test()? {
            flight = Box::new(again);
        }
        Ok(())
    },
];

#[test]
fn borrowed_arrays_are_used_in_flight_and_come_back() {
    let world = world();
    let (table, mut field, mut flags) = ([3u64; 12], vec![0u64; 36], [true; 4]);
    world
        .scope(|s| {
            let mut plan = s.plan();
            let table = plan.grid(&table, 3, 4)?;
            let field = plan.grid(&mut field, 6, 6)?;
            let flags = plan.array(&mut flags);
            plan.recv(field, (0, 1..5), 0, 1)?.recv(field, (1..5, 0), 0, 2)?;
            plan.send(table, (1, 0..4), 0, 1)?.send(field, (1..5, 4), 0, 2)?;
            for (round, way) in (0u64..).zip(WAYS) {
                plan.get_mut(field)?.iter_mut().zip(0..).for_each(|(cell, i)| *cell = 100 * round + i);
                plan.get_mut(flags)?.fill(round % 2 == 0);
                let mut flight = plan.start()?;
                assert!(hooks::in_flight() > 0);
                let (from, mut into) = flight.pair((table, (0, 0..2)), (field, (2, 1..3)))?;
                into.row_mut(0).copy_from_slice(from.row(0));
                assert_eq!(flight.view(field, Block::new(1..5, 4..5))?[(0, 0)], 100 * round + 10);
                assert_eq!(flight.view(table, (1, 0..4))?.row(0), [3; 4]);
                flight.wait()?;
                way(&mut plan)?;
                let cells = plan.get(field)?;
                assert_eq!((&cells[1..5], &cells[13..15]), (&[3; 4][..], &[3; 2][..]));
                (1..5).for_each(|r| assert_eq!(cells[6 * r], 100 * round + 6 * r as u64 + 4));
                assert_eq!(plan.get_pair(table, flags)?.1, [round % 2 == 0; 4]);
            }
            let flags = plan.take(flags)?;
            flags[0] = true;
            assert_eq!(plan.operations(), 4);
            let field = plan.take(field)?;
            assert_eq!((plan.operations(), hooks::requests()), (1, 1));
            s.isend(&*field, 0, 9)?.defer();
            world.recv_vec::<u64>(0, 9).map(|got| assert_eq!(got.data.len(), 36))
        })
        .unwrap();
    field.push(1);
    assert_eq!((flags, table), ([true, false, false, false], [3; 12]));
}

#[test]
fn what_is_forgotten_the_scope_completes_and_frees() {
    let world = world();
    let (mut a, mut b) = (vec![1u64; 2 * MANY], vec![0u64; 2 * MANY]);
    for leak in 0..4 {
        b.fill(0);
        world
            .scope(|s| {
                let mut plan = s.plan();
                let (from, into) = (plan.array(&mut a), plan.array(&mut b));
                // More operations than the first places are for.
                for tag in 0..MANY {
                    plan.send(from, 2 * tag..2 * tag + 2, 0, tag as i32)?;
                    plan.recv(into, 2 * tag..2 * tag + 2, 0, tag as i32)?;
                }
                match leak {
                    0 => mem::forget(plan.start()?),
                    1 => drop(Box::leak(Box::new(plan)).start()?),
                    2 => mem::forget(Box::leak(Box::new(plan)).start()?),
                    _ => {
                        Box::leak(Box::new(plan)).start()?.wait()?;
                        assert_eq!(hooks::requests(), 2 * MANY);
                    }
                }
                // The places of the first chunk serve others now.
                let more: Vec<_> = (0..2 * MANY as i32).map(|i| (s.keep([i]), s.keep([0]))).collect();
                for (out, into) in more {
                    s.isend(&*out, 0, 100)?.defer();
                    s.irecv(into, 0, 100)?.defer();
                }
                Ok(())
            })
            .unwrap();
        assert_eq!((hooks::in_flight(), hooks::requests()), (0, 0));
        assert_eq!(b, [1; 2 * MANY]);
        a.extend([1; 100]); // moves it
        a.truncate(2 * MANY);
    }
}

#[test]
fn an_early_error_takes_receives_back_and_the_next_use_says_so() {
    let world = world();
    let early = |plan: &mut ScopedPlan<'_>| -> Result<()> {
        let _flight = plan.start()?;
        world.send(&0u8, 9, 0)
    };
    let (mut never, mut got, out) = ([7u64; 10], [0u64; 10], [1u64; 10]);
    let result = world.scope(|s| {
        let mut plan = s.plan();
        let (a, b, c) = (plan.array(&mut never), plan.array(&mut got), plan.array(&out));
        plan.recv(a, 0..10, 0, 1)?.recv(b, 0..10, 0, 2)?.send(c, 0..10, 0, 2)?;
        assert_eq!(class(early(&mut plan)), ErrorClass::RANK);
        assert_eq!(hooks::in_flight(), 0, "the drop has cancelled what nobody sends");
        let error = plan.get(a).expect_err("nobody has heard yet of what was not received");
        assert_eq!(error.call(), "MPI_Recv_init");
        assert!(error.to_string().contains("was cancelled"), "{error}");
        assert_eq!((plan.get(a)?, plan.get(b)?), (&[7; 10][..], &[1; 10][..]));
        // Started again it receives, and left in flight by the scope's own error it is cancelled.
        s.isend(&[8u64; 10], 0, 1)?.defer();
        plan.start()?.wait()?;
        assert_eq!(plan.get(a)?, [8; 10]);
        mem::forget(plan.start()?);
        mem::forget(plan);
        world.send(&0u8, 0, -1)
    });
    assert_eq!(class(result), ErrorClass::TAG);
    assert_eq!((hooks::in_flight(), hooks::requests()), (0, 0));
    never.fill(0);
}

#[test]
fn a_panic_that_the_body_catches_leaves_the_rest_to_the_scope() {
    let world = world();
    let (mut field, out) = ([0u64; 30], [4u64; 30]);
    let lent = &mut field;
    world
        .scope(|s| {
            let caught = catch_unwind(AssertUnwindSafe(move || {
                let mut plan = s.plan();
                let (into, from) = (plan.array(lent), plan.array(s.keep(out)));
                plan.recv(into, 0..30, 0, 1).unwrap().send(from, 0..30, 0, 1).unwrap();
                let _flight = plan.start().unwrap();
                panic!("a bug of the program");
            }));
            assert!(caught.is_err() && hooks::in_flight() > 0);
            Ok(())
        })
        .unwrap();
    assert_eq!(field, [4; 30]);
    // A panic that ends the scope: what is complete is freed, and the frame may be popped.
    let caught = catch_unwind(AssertUnwindSafe(|| {
        world.scope(|s| -> Result<()> {
            let mut plan = s.plan();
            let into = plan.array(&mut field);
            plan.recv(into, 0..30, None, 1)?.send(into, 30..30, None, 1)?;
            mem::forget(plan.start()?);
            panic!("a bug of the program");
        })
    }));
    assert!(caught.is_err());
}

#[test]
fn an_error_names_the_operation_that_failed() {
    let world = world();
    for pending in [Pending::Never, Pending::Live] {
        hooks::leave_pending(pending);
        let (mut into, from) = (vec![0u64; 20], [5u64; 8]);
        world
            .scope(|s| {
                let mut plan = s.plan();
                let (into, from) = (plan.array(&mut into), plan.array(&from));
                plan.send(from, 0..2, 0, 0)?.recv(into, 18..20, 0, 0)?;
                plan.recv(into, 0..2, 0, 1)?.recv(into, 2..18, 0, 2)?;
                plan.send(from, 0..8, 0, 1)?.send(from, 0..8, 0, 2)?;
                for _ in 0..2 {
                    let error = plan.start()?.wait().expect_err("a message is too long");
                    let said = (error.call(), error.index(), error.class());
                    assert_eq!(said, ("MPI_Recv_init", Some(2), ErrorClass::TRUNCATE));
                    assert_eq!(plan.get(into)?[2..11], [5, 5, 5, 5, 5, 5, 5, 5, 0]);
                }
                hooks::fail_start_after(2);
                assert_eq!(plan.start().map(drop).map_err(|error| error.call()), Err("MPI_Startall"));
                mem::forget(plan); // with some of its operations started
                Ok(())
            })
            .unwrap_or_else(|error: Error| assert_eq!(error.class(), ErrorClass::TRUNCATE));
        assert_eq!((hooks::in_flight(), hooks::requests()), (0, 0));
    }
    hooks::leave_pending(Pending::Never);
}

#[test]
fn ids_of_other_plans_name_what_was_called() {
    let world = world();
    let (mut one, mut two) = ([0u8; 4], [0u8; 4]);
    world
        .scope(|s| {
            let (mut a, mut b) = (s.plan(), s.plan());
            let (x, y) = (a.array(&mut one), b.array(&mut two));
            let call = |error: Error| (error.class(), error.call());
            let named = |name| Err((ErrorClass::ARG, name));
            assert_eq!(a.get(y).map(drop).map_err(call), named("Plan::get"));
            assert_eq!(a.get_mut(y).map(drop).map_err(call), named("Plan::get_mut"));
            assert_eq!(a.take(y).map(drop).map_err(call), named("MPI_Request_free"));
            assert_eq!(a.ssend(y, 0..1, 0, 0).map(drop).map_err(call), named("MPI_Ssend_init"));
            let mut flight = b.start()?;
            assert_eq!(flight.view(x, 0..1).map(drop).map_err(call), named("Flight::view"));
            assert_eq!(flight.view_mut(x, 0..1).map(drop).map_err(call), named("Flight::view_mut"));
            assert_eq!(flight.pair((x, 0..1), (y, 0..1)).map(drop).map_err(call), named("Flight::pair"));
            flight.wait()
        })
        .unwrap();
}

#[test]
fn partitions_of_borrowed_memory_are_filled_by_threads() {
    let world = world();
    let (mut out, mut into) = (vec![0u64; 24], [0u64; 24]);
    world
        .scope(|s| {
            let mut send = s.psend_init(&mut out, 4, 0, 1)?;
            let mut receive = s.precv_init(&mut into, 6, 0, 1)?;
            for round in 0..2 {
                let arriving = receive.start()?;
                let mut filling = send.start()?;
                thread::scope(|threads| {
                    for mut partition in filling.partitions() {
                        threads.spawn(move || {
                            let first = 6 * partition.index() as u64;
                            partition.iter_mut().zip(first..).for_each(|(x, i)| *x = 100 * round + i);
                        });
                    }
                });
                filling.wait()?;
                arriving.wait()?;
                assert!(receive.buffer()?.iter().copied().eq(100 * round..100 * round + 24));
                send.buffer_mut()?.fill(9);
            }
            let (out, into) = (send.into_inner()?, receive.into_inner()?);
            (out[0], into[0]) = (1, 2);
            assert_eq!(hooks::requests(), 0);
            Ok(())
        })
        .unwrap();
    assert_eq!((out[..2].to_vec(), into[0]), (vec![1, 9], 2));
}

#[test]
fn a_partitioned_message_that_is_forgotten_is_made_ready_by_the_scope() {
    let world = world();
    let (mut out, mut into) = ([1u64; 12], [0u64; 12]);
    for (leak, error) in [(0, false), (1, false), (1, true)] {
        into.fill(0);
        let result = world.scope(|s| {
            let mut send = s.psend_init(&mut out, 4, 0, 1)?;
            let mut receive = s.precv_init(&mut into, 3, 0, 1)?;
            mem::forget(receive.start()?);
            let mut filling = send.start()?;
            filling.partition(2)?.fill(5);
            filling.ready(2..3)?;
            filling.partitions().take(1).for_each(mem::forget);
            mem::forget(filling);
            if leak == 0 {
                drop(send); // or the receive, which is dropped first, would wait for it
            } else {
                mem::forget((send, receive));
                // The place of a message that is over serves others.
                drop(s.psend_init(s.keep([0u8; 4]), 2, 0, 7)?);
                (0..40).try_for_each(|i| s.irecv(s.keep(i), None, 0).map(drop))?;
            }
            if error { world.send(&0u8, 9, 0) } else { Ok(()) }
        });
        assert_eq!(result.is_err(), error);
        assert_eq!((hooks::in_flight(), hooks::requests()), (0, 0));
        assert_eq!(into, [1, 1, 1, 1, 1, 1, 5, 5, 5, 1, 1, 1]);
    }
    let refused = |parts| world.scope(|s| s.psend_init(s.keep([0u8; 7]), parts, 0, 0).map(drop));
    assert_eq!((class(refused(3)), class(refused(0))), (ErrorClass::COUNT, ErrorClass::COUNT));
}
