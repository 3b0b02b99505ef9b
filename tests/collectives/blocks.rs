//! `gather`, `allgather`, `scatter` of every element type, in every form, for every root.

use crate::comms::on_each;
use crate::sample::{Sample, same, samples};
use crate::{LARGE, SIZES};
use mpi::buffer::{Strided, StridedMut};
use mpi::op::from_fn;
use mpi::{AnyBits, Communicator, Result, Scalar};
use std::num::NonZero;

/// The blocks of all ranks, in order.
fn all_blocks<T: Sample>(size: usize, len: usize) -> Vec<T> {
    (0..size).flat_map(|rank| samples(rank, len)).collect()
}

/// The forms that give a result, for element types that need not be any bits.
fn returning<T: Sample>(comm: &Communicator, len: usize) -> Result<()> {
    let (mine, all) = (samples::<T>(comm.rank(), len), all_blocks::<T>(comm.size(), len));
    same(&comm.allgather(&mine)?, &all);
    for root in 0..comm.size() {
        let at_root = (comm.rank() == root).then(|| all.clone());
        let gathered = comm.gather(&mine[..], root)?;
        assert_eq!(gathered.is_some(), at_root.is_some());
        same(&gathered.unwrap_or_default(), at_root.as_deref().unwrap_or_default());
        same(&comm.scatter(at_root.as_deref(), root)?, &mine);
    }
    Ok(())
}

/// The forms that fill a buffer.
fn filling<T: Sample + AnyBits>(comm: &Communicator, len: usize) -> Result<()> {
    let (mine, all) = (samples::<T>(comm.rank(), len), all_blocks::<T>(comm.size(), len));
    let before = vec![T::sample(99); all.len()];
    let mut result = before.clone();
    comm.allgather_into(&mine, &mut result)?;
    same(&result, &all);
    for root in 0..comm.size() {
        let is_root = comm.rank() == root;
        result.clone_from(&before);
        comm.gather_into(&mine[..], is_root.then_some(&mut result), root)?;
        same(&result, if is_root { &all } else { &before });
        let mut block = vec![T::sample(98); len];
        comm.scatter_into(is_root.then_some(&all), &mut block, root)?;
        same(&block, &mine);
    }
    Ok(())
}

/// One value from and for each rank.
fn values<T: Sample + Scalar>(comm: &Communicator) -> Result<()> {
    let (mine, all) = (T::sample(comm.rank()), (0..comm.size()).map(T::sample).collect::<Vec<_>>());
    assert_eq!(comm.allgather(&mine)?, all);
    let at_root = (comm.rank() == 0).then_some(&all);
    assert_eq!(comm.gather(&mine, 0)?.as_ref(), at_root);
    assert_eq!(comm.scatter(at_root, 0)?, [mine]);
    Ok(())
}

macro_rules! any_bits {
    ($($t:ident)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $t(world: Communicator) -> Result<()> {
            for len in SIZES {
                returning::<$t>(&world, len)?;
                filling::<$t>(&world, len)?;
            }
            values::<$t>(&world)
        }
    )+ };
}
any_bits!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

macro_rules! checked {
    ($($name:ident: $t:ty;)+) => { $(
        #[mpi::test(ranks = 2)]
        fn $name(world: Communicator) -> Result<()> {
            for len in SIZES {
                returning::<$t>(&world, len)?;
            }
            values::<$t>(&world)
        }
    )+ };
}
checked! {
    bool: bool;
    char: char;
    non_zero_u8: NonZero<u8>;
    non_zero_i128: NonZero<i128>;
    non_zero_usize: NonZero<usize>;
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn every_form_on_every_communicator(world: Communicator) -> Result<()> {
    on_each(&world, |comm| {
        for len in SIZES {
            returning::<char>(comm, len)?;
            returning::<[i32; 2]>(comm, len)?;
            filling::<[f64; 3]>(comm, len)?;
            filling::<u8>(comm, len)?;
        }
        Ok(())
    })
}

#[mpi::test(ranks = [2, 3, 5, 7, 8])]
fn large_and_many_ranks(world: Communicator) -> Result<()> {
    filling::<u32>(&world, LARGE / world.size())?;
    returning::<u32>(&world, 7)
}

/// Columns of a matrix: gathered from views, and dealt out into views.
#[mpi::test(ranks = [1, 2, 3])]
fn strided_views(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (rows, cols) = (20, 6);
    let matrix = samples::<f64>(me, rows * cols);
    let column_of = |rank: usize| samples::<f64>(rank, rows * cols).into_iter().skip(2).step_by(cols);
    let all: Vec<f64> = (0..size).flat_map(column_of).collect();

    let mine = Strided::new(&matrix, 2, rows, 1, cols)?;
    assert_eq!(world.allgather(&mine)?, all);
    assert_eq!(world.gather(&mine, 0)?, (me == 0).then(|| all.clone()));
    let mut result = vec![0.0; all.len()];
    world.allgather_into(&mine, &mut result)?;
    assert_eq!(result, all);

    let mut target = vec![0.0; rows * cols];
    world.scatter_into((me == 0).then_some(&all), &mut StridedMut::new(&mut target, 2, rows, 1, cols)?, 0)?;
    for (i, &x) in target.iter().enumerate() {
        assert_eq!(x, if i % cols == 2 { matrix[i] } else { 0.0 }, "element {i}");
    }
    Ok(())
}

/// Arrays are buffers of their elements, on both sides.
#[mpi::test(ranks = 2)]
fn arrays(world: Communicator) -> Result<()> {
    let me = world.rank() as u16;
    let mut all = [0u16; 4];
    world.allgather_into(&[me, me + 10], &mut all)?;
    assert_eq!(all, [0, 10, 1, 11]);
    assert_eq!(world.gather(&[me, me + 10], 1)?, (me == 1).then(|| vec![0, 10, 1, 11]));
    let mut one = 0u16;
    world.scatter_into((me == 0).then_some(&[7, 8]), &mut one, 0)?;
    assert_eq!(one, 7 + me);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn elements_without_size(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    assert_eq!(world.allgather(&[(); 4])?.len(), 4 * size);
    assert_eq!(world.alltoall(&vec![[0u8; 0]; 2 * size])?.len(), 2 * size);
    let op = from_fn(|(), ()| ());
    assert_eq!(world.reduce_scatter_block(&vec![(); 2 * size], &op)?.len(), 2);
    assert_eq!(world.scan(&[(); 3], &op)?, [(); 3]);
    for root in 0..size {
        world.bcast(&mut [(); 5], root)?;
        let gathered = world.gather(&[(); 4], root)?;
        assert_eq!(gathered.map(|all| all.len()), (me == root).then_some(4 * size));
        let all = (me == root).then(|| vec![(); 3 * size]);
        assert_eq!(world.scatter(all.as_deref(), root)?.len(), 3);
        assert_eq!(world.reduce(&[(); 3], &op, root)?, (me == root).then_some([(); 3]));
    }
    Ok(())
}
