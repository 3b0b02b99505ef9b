//! Plans over borrowed arrays: what is forgotten, dropped, left behind, the scope completes.

use crate::sample::{same, samples};
use mpi::persistent::ScopedPlan;
use mpi::request::Test;
use mpi::{Communicator, ErrorClass, Result, Source, Tag};
use std::mem;

fn ring(world: &Communicator) -> (usize, usize) {
    let (me, size) = (world.rank(), world.size());
    ((me + 1) % size, (me + size - 1) % size)
}

/// How a step ends.
fn step(plan: &mut ScopedPlan<'_>, way: usize) -> Result<()> {
    let mut flight = plan.start()?;
    match way % 4 {
        0 => flight.wait()?,
        1 => drop(flight),
        2 => mem::forget(flight),
        _ => {
            while let Test::Pending(again) = flight.test()? {
                flight = again;
            }
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn borrowed_arrays_of_several_types_go_around(world: Communicator) -> Result<()> {
    let (me, (next, previous)) = (world.rank(), ring(&world));
    for len in [1, 1000, 30_000] {
        let constants: Vec<f64> = samples(me, len);
        let (mut ring, mut flags, mut got) = (vec![0.0f64; 2 * len], [me == 0, true], vec![9u8; 2]);
        world.scope(|s| {
            let mut plan = s.plan();
            let constants = plan.array(&constants);
            let ring = plan.grid(&mut ring, 2, len)?;
            let (flags, bytes) = (plan.array(&mut flags), plan.array(&mut got));
            plan.recv(ring, (0, 0..len), previous, 0)?.recv(ring, (1, 0..len), previous, 1)?;
            plan.send(constants, 0..len, next, 0)?.ssend(constants, 0..len, next, 1)?;
            plan.send(flags, 0..2, next, 2)?.recv(bytes, 0..2, Source::ANY, 2)?;
            for round in 0..8 {
                plan.get_mut(ring)?.fill(-1.0);
                plan.get_mut(flags)?[1] = round % 2 == 0;
                step(&mut plan, round)?;
                for row in plan.get(ring)?.chunks(len) {
                    same(row, &samples::<f64>(previous, len));
                }
                assert_eq!(plan.get(bytes)?, [u8::from(previous == 0), u8::from(round % 2 == 0)]);
            }
            assert_eq!((plan.operations(), plan.take(ring)?.len(), plan.operations()), (6, 2 * len, 4));
            Ok(())
        })?;
        same(&ring[len..], &samples::<f64>(previous, len));
        assert_eq!((flags, got), ([me == 0, false], vec![u8::from(previous == 0), 0]));
    }
    Ok(())
}

/// More operations than the first places are for, of a plan that nobody drops.
#[mpi::test(ranks = [1, 2, 3])]
fn a_forgotten_plan_is_completed_and_freed_by_the_scope(world: Communicator) -> Result<()> {
    let (me, (next, previous)) = (world.rank() as u64, ring(&world));
    for size in [2, 4000] {
        let (out, mut into) = (vec![me; 25 * size], vec![u64::MAX; 25 * size]);
        for leak in 0..3 {
            into.fill(u64::MAX);
            world.scope(|s| {
                let mut plan = s.plan();
                let (out, into) = (plan.grid(&out, 25, size)?, plan.grid(&mut into, 25, size)?);
                for row in 0..25 {
                    plan.recv(into, (row, 0..size), previous, row as i32)?;
                    plan.send(out, (row, 0..size), next, row as i32)?;
                }
                match leak {
                    0 => mem::forget(plan.start()?),
                    1 => mem::forget(Box::leak(Box::new(plan)).start()?),
                    _ => Box::leak(Box::new(plan)).start()?.wait()?,
                }
                // Its first places are used by other requests.
                for tag in 100..150 {
                    s.isend(s.keep([tag; 3]), next, tag)?.defer();
                    s.irecv(s.keep([0; 3]), previous, tag)?.defer();
                }
                Ok(())
            })?;
            assert_eq!(into, vec![previous as u64; 25 * size]);
        }
    }
    Ok(())
}

/// A plan per time step, as one scope per time step: nothing is left of them.
#[mpi::test(ranks = [1, 2])]
fn a_thousand_scopes(world: Communicator) -> Result<()> {
    let (me, (next, previous)) = (world.rank() as u32, ring(&world));
    let mut field = vec![0u32; 40];
    for round in 0..1000u32 {
        world.scope(|s| {
            let mut plan = s.plan();
            let id = plan.grid(&mut field, 4, 10)?;
            plan.recv(id, (0..4, 0), previous, 0)?.send(id, (0..4, 9), next, 0)?;
            plan.get_mut(id)?[9] = me + round;
            if round % 3 == 0 {
                mem::forget(plan.start()?);
            } else {
                plan.start()?.wait()?;
            }
            Ok(())
        })?;
        assert_eq!(field[0], previous as u32 + round);
    }
    Ok(())
}

/// An early error cancels what nobody will send, and the plan says so once.
#[mpi::test(ranks = [1, 2])]
fn after_an_early_error(world: Communicator) -> Result<()> {
    let (mut never, (next, previous)) = ([5u8; 3], ring(&world));
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&mut never);
        plan.recv(id, 0..3, previous, 3)?;
        let early = |plan: &mut ScopedPlan<'_>| -> Result<()> {
            let _flight = plan.start()?;
            world.send(&0u8, 9, 0)
        };
        assert!(early(&mut plan).is_err());
        let error = plan.get(id).expect_err("nothing was received");
        assert_eq!((error.call(), error.class()), ("MPI_Recv_init", ErrorClass::OTHER));
        assert_eq!(plan.get(id)?, [5; 3]);
        world.barrier()?;
        for round in 0..3 {
            s.isend(s.keep([round; 3]), next, 3)?.defer();
            plan.start()?.wait()?;
            assert_eq!(plan.get(id)?, [round; 3]);
        }
        Ok(())
    })?;
    // The scope's own error: what a forgotten plan receives for is cancelled.
    let result = world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&mut never);
        plan.recv(id, 0..3, previous, Tag::ANY)?;
        mem::forget(plan.start()?);
        mem::forget(plan);
        world.send(&0u8, 9, 0)
    });
    assert_eq!(result.map_err(|error| error.class()), Err(ErrorClass::RANK));
    assert_eq!(never, [2; 3]);
    world.barrier()
}
