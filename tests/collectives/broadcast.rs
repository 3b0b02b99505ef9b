//! `barrier`, and `bcast` of every element type, in every form, for every root.

use crate::comms::on_each;
use crate::sample::{Sample, same, samples, seed};
use crate::{LARGE, SIZES};
use mpi::buffer::StridedMut;
use mpi::{AnyBits, Communicator, Result, Scalar};
use std::time::{Duration, Instant};

/// Every root gives its own values to all.
fn from_every_root<T: Sample + AnyBits>(comm: &Communicator, len: usize) -> Result<()> {
    for root in 0..comm.size() {
        let mut buffer = samples::<T>(comm.rank(), len);
        comm.bcast(&mut buffer, root)?;
        same(&buffer, &samples::<T>(root, len));
        let mut part = samples::<T>(comm.rank(), len + 2);
        comm.bcast(&mut part[1..=len], root)?;
        let expected = |i: usize| if (1..=len).contains(&i) { root } else { comm.rank() };
        let expected: Vec<T> = (0..len + 2).map(|i| T::sample(seed(expected(i), i))).collect();
        same(&part, &expected);
    }
    Ok(())
}

fn one_value<T: Sample + AnyBits + Scalar>(comm: &Communicator) -> Result<()> {
    for root in 0..comm.size() {
        let mut value = T::sample(comm.rank());
        comm.bcast(&mut value, root)?;
        assert_eq!(value, T::sample(root));
    }
    Ok(())
}

macro_rules! any_bits {
    ($($t:ident)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $t(world: Communicator) -> Result<()> {
            SIZES.into_iter().try_for_each(|len| from_every_root::<$t>(&world, len))?;
            one_value::<$t>(&world)
        }
    )+ };
}
any_bits!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

#[mpi::test(ranks = [1, 2, 3, 4])]
fn on_every_communicator(world: Communicator) -> Result<()> {
    on_each(&world, |comm| {
        SIZES.into_iter().try_for_each(|len| from_every_root::<[f32; 3]>(comm, len))?;
        one_value::<u64>(comm)
    })
}

#[mpi::test(ranks = [2, 5, 8])]
fn large_and_many_ranks(world: Communicator) -> Result<()> {
    from_every_root::<f64>(&world, LARGE)
}

#[mpi::test(ranks = [1, 2, 3])]
fn strided_views(world: Communicator) -> Result<()> {
    let root = world.size() - 1;
    let mut matrix = samples::<i32>(world.rank(), 30);
    world.bcast(&mut StridedMut::new(&mut matrix, 3, 5, 2, 6)?, root)?;
    for (i, &x) in matrix.iter().enumerate() {
        let from = if (3..5).contains(&(i % 6)) { root } else { world.rank() };
        assert_eq!(x, i32::sample(seed(from, i)), "element {i}");
    }
    Ok(())
}

/// A view and a slice of as many elements are one broadcast.
#[mpi::test(ranks = 2)]
fn a_view_to_a_slice(world: Communicator) -> Result<()> {
    let mut column = [1u8; 5];
    let mut matrix = samples::<u8>(0, 20);
    if world.rank() == 0 {
        world.bcast(&mut StridedMut::new(&mut matrix, 0, 5, 1, 4)?, 0)
    } else {
        world.bcast(&mut column, 0)?;
        assert!(matrix.iter().step_by(4).eq(&column));
        Ok(())
    }
}

#[mpi::test(ranks = [1, 2, 4])]
fn barrier(world: Communicator) -> Result<()> {
    on_each(&world, |comm| (0..20).try_for_each(|_| comm.barrier()))
}

/// Nobody leaves a barrier before the last one has come.
#[mpi::test(ranks = 2)]
fn a_barrier_holds(world: Communicator) -> Result<()> {
    const LATE: Duration = Duration::from_millis(200);
    world.barrier()?;
    let start = Instant::now();
    if world.rank() == 1 {
        std::thread::sleep(LATE);
    }
    world.barrier()?;
    assert!(start.elapsed() >= LATE - Duration::from_millis(50), "{:?}", start.elapsed());
    Ok(())
}

/// What only the root has: of every type, also one that not every byte is good for.
#[mpi::test(ranks = [1, 2, 3, 4])]
fn values_and_vectors(world: Communicator) -> Result<()> {
    on_each(&world, |comm| {
        for root in 0..comm.size() {
            let is_root = comm.rank() == root;
            let length = [0, 1, 7, LARGE][root % 4];
            let letters: Vec<char> = (0..length).map(|i| if i % 2 == 0 { 'é' } else { 'z' }).collect();
            assert!(comm.bcast_vec(is_root.then_some(&letters[..]), root)? == letters);
            assert!(comm.bcast_value(is_root.then_some(&true), root)?);
            assert_eq!(comm.bcast_value(is_root.then_some(&[1.5, 2.5]), root)?, [1.5, 2.5]);
            comm.bcast_value(is_root.then_some(&()), root)?;
            assert_eq!(comm.bcast_vec(is_root.then_some(&[(); 3][..]), root)?.len(), 3);
        }
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2, 3])]
fn values_that_are_missing_or_none(world: Communicator) -> Result<()> {
    let mine = (world.rank() != 0).then_some(&1u8);
    let error = world.bcast_value(mine, 0).expect_err("the root gives none, or another does");
    assert!(error.to_string().starts_with("MPI_Bcast: "), "{error}");
    world.bcast_vec(mine.map(std::slice::from_ref), 0).expect_err("the same");
    world.bcast_value(Some(&1u8), world.size()).expect_err("no such rank");
    // The root's bytes are no truth value.
    if world.rank() == 0 {
        world.bcast(&mut 2u8, 0)?;
    } else {
        world.bcast_value::<bool>(None, 0).expect_err("2 is neither");
    }
    // It tells of more than there can be.
    if world.rank() == 0 {
        world.bcast(&mut (!0u64), 0)?;
    } else {
        let error = world.bcast_vec::<f64>(None, 0).expect_err("nobody has so much memory");
        assert!(error.to_string().starts_with("MPI_Bcast: "), "{error}");
    }
    Ok(())
}
