//! What a plan refuses, and what failing messages leave behind.

use mpi::op::Sum;
use mpi::persistent::{Block, Plan};

use mpi::{Communicator, Error, ErrorClass, Result, Returned};
use std::fmt::Debug;

/// As `refused`, with what comes back.
#[track_caller]
fn returned<T, D: PartialEq + Debug>(result: Result<T, Returned<D>>, data: D, class: ErrorClass, text: &str) {
    let Err(returned) = result else { panic!("accepted") };
    assert_eq!(returned.data, data);
    refused::<T>(Err(returned.error), class, text);
}

#[track_caller]
fn refused<T>(result: Result<T>, class: ErrorClass, text: &str) {
    let error = result.err().expect("an error");
    assert_eq!(error.class(), class, "{error}");
    assert!(error.to_string().contains(text), "{error}");
}

#[mpi::test(ranks = [1, 2])]
fn blocks_that_overlap_or_lie_outside(world: Communicator) -> Result<()> {
    let mut plan = Plan::new(&world);
    let grid = plan.grid(vec![0u32; 20], 4, 5)?;
    plan.recv(grid, (0..2, 0..3), 0, 0)?.send(grid, (2..4, 0..5), 0, 0)?.send(grid, (3, 1..2), 0, 0)?;
    let buffer = ErrorClass::BUFFER;
    refused(
        plan.recv(grid, (1, 2..5), 0, 0),
        buffer,
        "MPI_Recv_init: the block overlaps block 0 of the 1 that are received",
    );
    refused(plan.recv(grid, (1..3, 3), 0, 0), buffer, "overlaps block 0 of the 2 that are sent");
    refused(
        plan.send(grid, (0..4, 2), 0, 0),
        buffer,
        "MPI_Send_init: the block overlaps block 0 of the 1 that are received",
    );
    refused(plan.send(grid, (4, 0..1), 0, 0), buffer, "rows reach 5, but the array has 4 rows");
    refused(plan.send(grid, (0, 4..6), 0, 0), buffer, "columns reach 6, but the array has 5 columns");
    #[allow(clippy::reversed_empty_ranges, reason = "the mistake")]
    let reversed = Block::new(3..2, 0..1);
    refused(plan.send(grid, reversed, 0, 0), buffer, "starts at 3 and ends before, at 2");
    refused(plan.send(grid, (usize::MAX, 0..1), 0, 0), buffer, "rows reach");
    returned(
        plan.grid(vec![9u8; 7], 2, 4),
        vec![9; 7],
        buffer,
        "the shape is of 8 elements, but the array has 7",
    );
    returned(plan.grid(Vec::<u8>::new(), 1 << 32, 1 << 32), vec![], buffer, "the shape is of");
    assert_eq!(plan.operations(), 3, "what was refused is not in the plan");

    let cube = plan.grid3(vec![0u8; 24], [2, 3, 4])?;
    refused(plan.send(cube, [0..3, 0..1, 0..1], 0, 0), buffer, "planes reach 3, but the array has 2 planes");
    returned(
        plan.grid3(vec![9u8; 7], [2, 2, 2]),
        vec![9; 7],
        buffer,
        "Plan::grid3: the shape is of 8 elements",
    );
    plan.recv(cube, [0..2, 0..3, 0..1], None, 0)?;
    refused(plan.send(cube, (2, 0..4), None, 0), buffer, "overlaps block 0 of the 1 that are received");
    let mut flight = Plan::new(&world);
    let cube = flight.grid3(vec![0u8; 24], [2, 3, 4])?;
    let mut flight = flight.start()?;
    let text = "Flight::view: the block has 2 planes: only one is rows and columns alone";
    refused(flight.view(cube, [0..2, 0..1, 0..1]), buffer, text);
    refused(flight.view_mut(cube, [0..0, 0..1, 0..1]), buffer, "has 0 planes");
    refused(flight.pair((cube, (0, 0..1)), (cube, [0..2, 1..2, 0..1])), buffer, "has 2 planes");
    assert_eq!(flight.view(cube, [1..2, 0..3, 1..3])?.rows(), 3);
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn peers_and_tags_out_of_range(world: Communicator) -> Result<()> {
    let (mut plan, size) = (Plan::new(&world), world.size());
    let array = plan.array([0u8; 4]);
    refused(plan.send(array, 0..4, size, 0), ErrorClass::RANK, "destination");
    refused(plan.recv(array, 0..4, size, 0), ErrorClass::RANK, "source");
    refused(plan.send(array, 0..4, 0, -1), ErrorClass::TAG, "tag -1");
    refused(plan.recv(array, 0..4, 0, i32::MIN), ErrorClass::TAG, "tag");
    returned(world.send_init([1u8], size, 0), vec![1], ErrorClass::RANK, "destination");
    returned(world.recv_init([2u8], 0, -7), vec![2], ErrorClass::TAG, "tag -7");
    let reduction = world.reduce_init([1, 2], None, Sum, size);
    returned(reduction, (vec![1, 2], vec![]), ErrorClass::ROOT, "root");
    let scan = world.scan_init([1, 2], [3], Sum);
    returned(scan, (vec![1, 2], vec![3]), ErrorClass::COUNT, "");
    assert_eq!(plan.operations(), 0);
    plan.recv(array, 0..4, 0, 0)?; // nothing was noted of what was refused
    Ok(())
}

#[mpi::test(ranks = 1)]
fn ids_of_other_plans_and_of_arrays_that_are_gone(world: Communicator) -> Result<()> {
    let (mut one, mut other) = (Plan::new(&world), Plan::new(&world));
    let (a, b) = (one.array([1u64; 4]), other.array([2u8; 4]));
    let text = "array 0 is not one of this plan's 1: another plan made the id, or the array was taken";
    let named = |call: &str| format!("{call}: {text}");
    refused(one.get(b), ErrorClass::ARG, &named("Plan::get"));
    refused(other.get_mut(a), ErrorClass::ARG, &named("Plan::get_mut"));
    refused(one.get_pair(a, b), ErrorClass::ARG, &named("Plan::get_pair"));
    refused(one.take(b), ErrorClass::ARG, &named("MPI_Request_free"));
    refused(other.send(a, 0..1, 0, 0), ErrorClass::ARG, &named("MPI_Send_init"));
    refused(other.ssend(a, 0..1, 0, 0), ErrorClass::ARG, &named("MPI_Ssend_init"));
    refused(one.recv(b, 0..1, 0, 0), ErrorClass::ARG, &named("MPI_Recv_init"));
    refused(one.start()?.view(b, 0..1), ErrorClass::ARG, &named("Flight::view"));
    std::mem::swap(&mut one, &mut other); // the ids follow their plans
    assert_eq!((one.get(b)?, other.get(a)?), (&[2; 4][..], &[1; 4][..]));
    one.take(b)?;
    refused(one.get(b), ErrorClass::ARG, text);
    let new = one.array([3.5f64]);
    refused(one.get(b), ErrorClass::ARG, "array 0 is not one of this plan's 2");
    assert_eq!(one.get(new)?, [3.5]);
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn in_flight_what_mpi_uses_is_refused(world: Communicator) -> Result<()> {
    let mut plan = Plan::new(&world);
    let grid = plan.grid(vec![0u32; 20], 4, 5)?;
    let me = world.rank();
    plan.recv(grid, (0, 0..5), me, 0)?.send(grid, (3, 0..5), me, 0)?;
    let mut flight = plan.start()?;
    refused(flight.view(grid, (0..2, 1)), ErrorClass::BUFFER, "that are received");
    refused(flight.view_mut(grid, (0..2, 1)), ErrorClass::BUFFER, "that are received");
    refused(flight.view_mut(grid, (1..4, 1)), ErrorClass::BUFFER, "that are sent");
    refused(
        flight.pair((grid, (1..3, 0)), (grid, (2, 0..5))),
        ErrorClass::BUFFER,
        "two blocks of array 0 overlap",
    );
    flight.wait()
}

/// It names the operation, by its call and its index.
#[track_caller]
fn truncated<T: Debug>(result: Result<T, Error>) {
    let error = result.expect_err("the message is longer than its block");
    assert_eq!((error.class(), error.call()), (ErrorClass::TRUNCATE, "MPI_Recv_init"));
    assert_eq!(error.index(), Some(0));
}

/// A message that is too long fails one step; the others of the step are complete, and the plan goes on.
#[mpi::test(ranks = 2)]
fn a_plan_after_a_truncated_message(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let mut plan = Plan::new(&world);
    let (mine, theirs) = (plan.array([7u64; 6]), plan.array([0u64; 6]));
    plan.recv(theirs, 0..2, peer, 0)?.recv(theirs, 2..6, peer, 1)?.send(mine, 0..4, peer, 1)?;
    for step in 0..6u64 {
        let too_long = step % 2 == 1;
        plan.get_mut(mine)?.fill(step);
        world.send(&[step; 3][..if too_long { 3 } else { 2 }], peer, 0)?;
        let flight = plan.start()?;
        match (too_long, step) {
            (false, _) => flight.wait()?,
            (true, 1) => truncated(flight.wait()),
            (true, _) => {
                drop(flight);
                truncated(plan.get(theirs).map(|_| ())); // nobody has heard of it before
            }
        }
        assert_eq!(plan.get(theirs)?[2..], [step; 4], "the other message is there");
        world.barrier()?;
    }
    let mut receive = world.recv_init([0u8; 2], peer, 5)?;
    for len in [3, 2, 3, 1] {
        world.send(&[9u8; 3][..len], peer, 5)?;
        match receive.start()?.wait() {
            Ok(status) => assert_eq!(status.count::<u8>(), Some(len)),
            failed => truncated(failed),
        }
        world.barrier()?;
    }
    Ok(())
}

/// The one of many that failed is named, also where it had failed before anybody waited and others are late, which is
/// what Open MPI's `MPI_Waitall` never returns from.
#[mpi::test(ranks = 2)]
fn the_operation_that_failed_is_named(world: Communicator) -> Result<()> {
    let mut plan = Plan::new(&world);
    let parts = plan.array([0u32; 3]);
    if world.rank() == 1 {
        (0..3).try_for_each(|tag| plan.recv(parts, tag..tag + 1, 0, tag as i32).map(|_| ()))?;
    }
    for round in 1..5u32 {
        let flight = plan.start()?;
        if world.rank() == 0 {
            world.send(&[round], 1, 0)?;
            world.send(&[round; 3], 1, 1)?;
        }
        world.barrier()?;
        if world.rank() == 0 {
            std::thread::sleep(std::time::Duration::from_millis(30));
            world.send(&[round], 1, 2)?;
            flight.wait()?;
        } else {
            let error = if round % 2 == 0 {
                flight.wait().expect_err("one is too long")
            } else {
                drop(flight);
                plan.get(parts).expect_err("nobody has heard of it before")
            };
            let said = (error.call(), error.index(), error.class());
            assert_eq!(said, ("MPI_Recv_init", Some(1), ErrorClass::TRUNCATE), "{error}");
            let got = plan.get(parts)?;
            assert_eq!((got[0], got[2]), (round, round), "the others are there");
        }
        world.barrier()?;
    }
    Ok(())
}

/// A message shorter than its block leaves the rest as it was.
#[mpi::test(ranks = 2)]
fn a_short_message(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let mut plan = Plan::new(&world);
    let grid = plan.grid(vec![5u16; 12], 3, 4)?;
    plan.recv(grid, (0..3, 1..3), peer, 0)?;
    world.send(&[1u16, 2, 3], peer, 0)?;
    plan.start()?.wait()?;
    assert_eq!(plan.take(grid)?, [5, 1, 2, 5, 5, 3, 5, 5, 5, 5, 5, 5]);
    Ok(())
}
