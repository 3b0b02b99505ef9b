//! Arrays of several types in one plan; flights that are waited for, tested, dropped, forgotten.

use crate::sample::{same, samples};
use mpi::persistent::{Block, Flight, Plan};
use mpi::request::Test;
use mpi::{Communicator, Result, Source, Tag};

fn ring(world: &Communicator) -> (usize, usize) {
    let (me, size) = (world.rank(), world.size());
    ((me + 1) % size, (me + size - 1) % size)
}

fn poll(mut flight: Flight<'_, '_>) -> Result<()> {
    loop {
        match flight.test()? {
            Test::Done(()) => return Ok(()),
            Test::Pending(again) => flight = again,
        }
    }
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn arrays_of_several_types_go_around_together(world: Communicator) -> Result<()> {
    let (me, (next, previous)) = (world.rank(), ring(&world));
    let mut plan = Plan::new(&world);
    let doubles = plan.array(vec![0.0f64; 2000]);
    let pairs = plan.array(vec![[0i16; 3]; 40]);
    let flags = plan.array([me == 0, true, false]);
    let bytes = plan.array(vec![0u8; 3].into_boxed_slice());
    plan.send(doubles, 0..1000, next, 0)?.recv(doubles, 1000..2000, previous, 0)?;
    plan.send(pairs, 0..20, next, 1)?.recv(pairs, 20..40, previous, 1)?;
    plan.send(flags, 0..3, next, 2)?.recv(bytes, 0..3, Source::ANY, 3)?.send(bytes, 0..0, None, 5)?;
    assert_eq!(plan.operations(), 6);
    for round in 0..8 {
        plan.get_mut(doubles)?[..1000].copy_from_slice(&samples(me + round, 1000));
        plan.get_mut(pairs)?[..20].copy_from_slice(&samples(me + round, 20));
        let flight = plan.start()?;
        world.send(&[round as u8; 3], next, 3)?;
        // Before the flight is over: a message to oneself may wait for its receive.
        assert_eq!(world.recv_vec::<bool>(previous, 2)?.data, [previous == 0, true, false]);
        same(flight.view(doubles, 0..1000)?.row(0), &samples::<f64>(me + round, 1000));
        match round % 4 {
            0 => flight.wait()?,
            1 => poll(flight)?,
            2 => drop(flight),
            _ => std::mem::forget(flight),
        }
        same(&plan.get(doubles)?[1000..], &samples::<f64>(previous + round, 1000));
        same(&plan.get(pairs)?[20..], &samples::<[i16; 3]>(previous + round, 20));
        assert_eq!(plan.get(bytes)?, [round as u8; 3]);
    }
    let (from, into) = plan.get_pair(doubles, bytes)?;
    assert_eq!((from.len(), into.len()), (2000, 3));
    assert_eq!(plan.take(doubles)?.len(), 2000);
    assert_eq!(plan.operations(), 4);
    assert_eq!((plan.take(flags)?, plan.take(bytes)?), (vec![me == 0, true, false], vec![7; 3]));
    plan.start()?.wait()?;
    assert_eq!((plan.take(pairs)?.len(), plan.operations()), (40, 0));
    plan.start()?.wait() // of nothing
}

/// Interior work in one array reads another that is in flight.
#[mpi::test(ranks = [1, 2])]
fn one_array_is_written_while_another_is_in_flight(world: Communicator) -> Result<()> {
    let (me, (next, previous)) = (world.rank() as u64, ring(&world));
    let mut plan = Plan::new(&world);
    let (old, new) = (plan.grid(vec![me; 300], 3, 100)?, plan.grid(vec![0u64; 300], 3, 100)?);
    plan.send(old, (1, 0..100), next, 0)?.recv(old, (0, 0..100), previous, 0)?;
    let mut flight = plan.start()?;
    let (from, mut out) = flight.pair((old, (1..3, 0..100)), (new, (1..3, 0..100)))?;
    for r in 0..2 {
        out.row_mut(r).iter_mut().zip(from.row(r)).for_each(|(out, from)| *out = from + 10);
    }
    flight.view_mut(old, (2, 0..100))?.row_mut(0).fill(77);
    flight.wait()?;
    assert_eq!(plan.get(old)?[..100], [previous as u64; 100]);
    assert_eq!(plan.get(old)?[200..], [77; 100]);
    assert_eq!(plan.get(new)?[100..], [me + 10; 200]);
    Ok(())
}

/// Sends may overlap each other, and one block may go to everybody.
#[mpi::test(ranks = [1, 2, 4])]
fn one_block_to_every_rank(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank() as u32, world.size());
    let mut plan = Plan::new(&world);
    let (mine, all) = (plan.array([me; 5]), plan.grid(vec![u32::MAX; 5 * size], size, 5)?);
    for peer in 0..size {
        plan.send(mine, 0..5, peer, 9)?.recv(all, (peer, 0..5), peer, Tag::ANY)?;
    }
    for round in 0..3 {
        plan.get_mut(mine)?[0] = me + 100 * round;
        plan.start()?.wait()?;
        for (peer, row) in plan.get(all)?.chunks(5).enumerate() {
            assert_eq!((row[0], row[4]), (peer as u32 + 100 * round, peer as u32));
        }
    }
    Ok(())
}

/// The types of views live in a small table of the thread; those of a plan must not go with it.
#[mpi::test(ranks = [1, 2])]
fn a_plan_outlives_the_table_of_types(world: Communicator) -> Result<()> {
    let (me, (next, previous)) = (world.rank(), ring(&world));
    let mut plan = Plan::new(&world);
    let grid = plan.grid(vec![0u16; 400 * 400], 400, 400)?;
    plan.send(grid, (0..400, 0), next, 0)?.recv(grid, (0..400, 399), previous, 0)?;
    // More shapes than the table has places.
    let mut other = Plan::new(&world);
    let shapes = other.grid(vec![0u16; 400 * 400], 400, 400)?;
    for rows in 2..300 {
        other.send(shapes, Block::new(0..rows, 0..3), None, 0)?;
    }
    for round in 0..3 {
        let cells = plan.get_mut(grid)?;
        (0..400).for_each(|r| cells[r * 400] = (me * 1000 + r + round) as u16);
        plan.start()?.wait()?;
        let cells = plan.get(grid)?;
        assert!((0..400).all(|r| cells[r * 400 + 399] == (previous * 1000 + r + round) as u16));
        assert_eq!(cells[1..399], [0; 398]);
    }
    Ok(())
}

/// A plan that is dropped in flight waits; the ranks may do so in any order.
#[mpi::test(ranks = 2)]
fn a_plan_dropped_in_flight_waits(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    for size in [10, 100_000] {
        let mut plan = Plan::new(&world);
        let array = plan.array(vec![1u64; 2 * size]);
        plan.send(array, 0..size, peer, 0)?.recv(array, size..2 * size, peer, 0)?;
        std::mem::forget(plan.start()?);
        drop(plan);
        world.barrier()?;
    }
    Ok(())
}
