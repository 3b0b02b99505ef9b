//! New communicators from old ones, and how they relate.

use mpi::op::Sum;
use mpi::{Communicator, Comparison, ErrorClass, Result};

#[mpi::test(ranks = [1, 2, 4])]
fn a_duplicate_has_the_same_ranks(world: Communicator) -> Result<()> {
    let dup = world.dup()?;
    assert_eq!((dup.rank(), dup.size()), (world.rank(), world.size()));
    let again = dup.dup()?;
    drop(dup);
    assert_eq!(again.allreduce(&again.rank(), Sum)?, world.size() * (world.size() - 1) / 2);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn messages_of_two_communicators_do_not_mix(world: Communicator) -> Result<()> {
    let (first, second) = (world.dup()?, world.dup()?);
    let comms = [(&world, 0u8), (&first, 1), (&second, 2)];
    if world.rank() == 0 {
        for (comm, number) in comms {
            comm.send(&number, 1, 7)?;
        }
    } else {
        for (comm, number) in comms.into_iter().rev() {
            assert_eq!(comm.recv::<u8>(mpi::Source::ANY, mpi::Tag::ANY)?.data, number);
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn split_groups_by_color(world: Communicator) -> Result<()> {
    for colors in 1..=world.size() {
        let color = world.rank() % colors;
        let group = world.split(Some(color), 0)?.expect("a color was given");
        let members: Vec<usize> = (0..world.size()).filter(|rank| rank % colors == color).collect();
        assert_eq!(group.allgather(&world.rank())?, members);
        assert_eq!((group.size(), members[group.rank()]), (members.len(), world.rank()));
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 4])]
fn split_orders_by_key_then_by_rank(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank() as i32, world.size());
    let ordered = |key: i32| -> Result<Vec<usize>> {
        world.split(Some(3), key)?.expect("a color was given").allgather(&world.rank())
    };
    assert!(ordered(5)?.into_iter().eq(0..size));
    assert!(ordered(-me)?.into_iter().eq((0..size).rev()));
    assert!(ordered(if me == 0 { i32::MAX } else { i32::MIN })?.into_iter().eq((1..size).chain([0])));
    Ok(())
}

#[mpi::test(ranks = [1, 2, 4])]
fn who_gives_no_color_gets_no_communicator(world: Communicator) -> Result<()> {
    for left_out in 0..world.size() {
        let color = (world.rank() != left_out).then_some(0);
        let group = world.split(color, 0)?;
        assert_eq!(group.map(|group| group.size()), color.map(|_| world.size() - 1));
    }
    assert!(world.split(None, 0)?.is_none());
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn the_largest_color_and_one_more(world: Communicator) -> Result<()> {
    let largest = i32::MAX as usize;
    assert!(world.split(Some(largest), 0)?.is_some());
    for color in [largest + 1, u32::MAX as usize, usize::MAX] {
        let error = world.split(Some(color), 0).expect_err("it does not fit");
        assert_eq!((error.class(), error.code()), (ErrorClass::ARG, None), "{error}");
    }
    Ok(())
}

#[mpi::test(ranks = [2, 4])]
fn halves_work_at_the_same_time(world: Communicator) -> Result<()> {
    let half = world.split(Some(world.rank() % 2), 0)?.expect("a color was given");
    // One half does more than the other.
    for _ in 0..if world.rank().is_multiple_of(2) { 3 } else { 30 } {
        assert_eq!(half.allreduce(&1u32, Sum)? as usize, half.size());
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 4])]
fn compare(world: Communicator) -> Result<()> {
    let more = world.size() > 1;
    let dup = world.dup()?;
    let reversed = world.split(Some(0), -(world.rank() as i32))?.expect("a color was given");
    let alone = Communicator::this_process()?;
    assert_eq!(world.compare(&world)?, Comparison::Identical);
    assert_eq!(world.compare(&dup)?, Comparison::Congruent);
    assert_eq!(world.compare(&reversed)?, if more { Comparison::Similar } else { Comparison::Congruent });
    assert_eq!(world.compare(&alone)?, if more { Comparison::Unequal } else { Comparison::Congruent });
    assert_eq!(alone.compare(&alone)?, Comparison::Identical);
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn this_process_is_alone(world: Communicator) -> Result<()> {
    let alone = Communicator::this_process()?;
    assert_eq!((alone.rank(), alone.size()), (0, 1));
    assert_eq!(alone.allreduce(&world.rank(), Sum)?, world.rank());
    let mut back = 0;
    alone.sendrecv(&(world.rank() + 1), 0, 0, &mut back, 0, 0)?;
    assert_eq!(back, world.rank() + 1);
    // Not collective over the world: only one rank makes another.
    if world.rank() == 0 {
        Communicator::this_process()?.barrier()?;
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn another_handle_to_the_world(world: Communicator) -> Result<()> {
    let handles = mpi::test_support::handles();
    let again = Communicator::world()?;
    assert_eq!(mpi::test_support::handles(), handles + 1);
    assert_eq!(again.compare(&mpi::init()?)?, Comparison::Identical);
    assert_eq!(again.compare(&world)?, Comparison::Congruent, "a test has a duplicate of its own");
    drop(again);
    assert_eq!(mpi::test_support::handles(), handles);
    Ok(())
}

/// Handles come back: MPICH has about 2000 contexts, Open MPI more.
#[mpi::test(ranks = [1, 2])]
fn dropped_communicators_are_freed(world: Communicator) -> Result<()> {
    let handles = mpi::test_support::handles();
    for _ in 0..5000 {
        world.dup()?;
    }
    assert_eq!(mpi::test_support::handles(), handles);
    Ok(())
}
