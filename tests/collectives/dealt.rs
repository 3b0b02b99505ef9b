//! `reduce_scatter_block` and `reduce_scatter` in every form, on every kind of communicator.

use crate::LARGE;
use crate::comms::on_each;
use crate::sample::{Sample, same, samples};
use mpi::buffer::Counts;
use mpi::op::{BitOr, LogicalAnd, Max, Operation, Sum};
use mpi::{AnyBits, Communicator, FromBits, Result};

/// Elements for each rank: none, one, a few, and some that make the largest buffers of a launch.
const BLOCKS: [usize; 4] = [0, 1, 7, 300];

/// An operation, what each rank gives, and what the operation makes of two elements.
struct Case<'a, T, O> {
    op: O,
    input: &'a dyn Fn(usize) -> Vec<T>,
    model: fn(T, T) -> T,
}

impl<T: Copy, O: Copy> Case<'_, T, O> {
    /// What all ranks give, combined.
    fn combined(&self, size: usize) -> Vec<T> {
        let combine =
            |all: Vec<T>, part: Vec<T>| all.into_iter().zip(part).map(|(a, b)| (self.model)(a, b)).collect();
        (0..size).map(self.input).reduce(combine).expect("a communicator has a rank")
    }
}

fn returning<T, O>(comm: &Communicator, counts: &Counts, case: &Case<'_, T, O>) -> Result<()>
where
    T: FromBits + PartialEq + std::fmt::Debug,
    O: Operation<T>,
{
    let mine = (case.input)(comm.rank());
    let expected = &case.combined(comm.size())[counts.range(comm.rank())];
    same(&comm.reduce_scatter(&mine, counts, case.op)?, expected);
    if counts.to_vec().iter().all(|&count| count == counts.get(0)) {
        same(&comm.reduce_scatter_block(&mine[..], case.op)?, expected);
    }
    Ok(())
}

fn by_counts<T, O>(comm: &Communicator, counts: &Counts, case: &Case<'_, T, O>) -> Result<()>
where
    T: AnyBits + Sample,
    O: Operation<T>,
{
    let (op, mine) = (case.op, (case.input)(comm.rank()));
    let expected = &case.combined(comm.size())[counts.range(comm.rank())];
    let marked = vec![T::sample(12_345); expected.len()];

    let mut result = marked.clone();
    comm.reduce_scatter_into(&mine, &mut result, counts, op)?;
    same(&result, expected);
    let mut both = mine.clone();
    same(comm.reduce_scatter_in_place(&mut both, counts, op)?, expected);
    same(&both[..expected.len()], expected);

    let (mut apart, mut both) = (marked.clone(), mine.clone());
    comm.scope(|s| {
        let apart = s.ireduce_scatter(&mine, &mut apart, counts, op)?;
        s.ireduce_scatter_in_place(&mut both, counts, op)?.defer();
        same(apart.wait()?.1, expected);
        Ok(())
    })?;
    same(&both[..expected.len()], expected);

    // The counts that were given may go: the request keeps them.
    let passing = counts.clone();
    let pending = comm.ireduce_scatter(mine.clone(), marked, &passing, op)?;
    drop(passing);
    let (back, result) = pending.wait()?;
    same(&back, &mine);
    same(&result, expected);
    Ok(())
}

fn in_blocks<T, O>(comm: &Communicator, block: usize, case: &Case<'_, T, O>) -> Result<()>
where
    T: AnyBits + Sample,
    O: Operation<T>,
{
    let (op, mine, me) = (case.op, (case.input)(comm.rank()), comm.rank());
    let expected = &case.combined(comm.size())[me * block..(me + 1) * block];
    let marked = vec![T::sample(12_345); block];

    let mut result = marked.clone();
    comm.reduce_scatter_block_into(&mine, &mut result, op)?;
    same(&result, expected);
    let mut both = mine.clone();
    same(comm.reduce_scatter_block_in_place(&mut both, op)?, expected);

    let (mut apart, mut both) = (marked.clone(), mine.clone());
    comm.scope(|s| {
        let in_place = s.ireduce_scatter_block_in_place(&mut both, op)?;
        s.ireduce_scatter_block(&mine, &mut apart, op)?.defer();
        same(&in_place.wait()?[..block], expected);
        Ok(())
    })?;
    same(&apart, expected);

    let (back, result) = comm.ireduce_scatter_block(mine.clone(), marked, op)?.wait()?;
    same(&back, &mine);
    same(&result, expected);
    Ok(())
}

/// Counts that differ, some of them 0.
fn uneven(ranks: usize, block: usize) -> Counts {
    let counts: Vec<_> = (0..ranks).map(|rank| if rank % 3 == 1 { 0 } else { block + rank }).collect();
    Counts::new(&counts).expect("small")
}

pub fn all_forms<T, O>(comm: &Communicator, block: usize, op: O, model: fn(T, T) -> T) -> Result<()>
where
    T: AnyBits + Sample,
    O: Operation<T>,
{
    let size = comm.size();
    for counts in [uneven(size, block), Counts::even(block * size, size)?] {
        let case = Case { op, input: &|rank| samples::<T>(rank, counts.total()), model };
        returning(comm, &counts, &case)?;
        by_counts(comm, &counts, &case)?;
    }
    in_blocks(comm, block, &Case { op, input: &|rank| samples::<T>(rank, block * size), model })
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn every_form_on_every_communicator(world: Communicator) -> Result<()> {
    on_each(&world, |comm| {
        for block in BLOCKS {
            all_forms(comm, block, Sum, u64::wrapping_add)?;
            all_forms(comm, block, Max, f32::max)?;
            all_forms(comm, block, BitOr, |a: u8, b| a | b)?;
            // Elements that are arrays: MPI counts their parts.
            all_forms(comm, block, Max, |a: [i16; 3], b| std::array::from_fn(|i| a[i].max(b[i])))?;
        }
        Ok(())
    })
}

#[mpi::test(ranks = [2, 3, 5, 7, 8])]
fn large_and_many_ranks(world: Communicator) -> Result<()> {
    all_forms(&world, LARGE / world.size(), Max, i32::max)
}

#[mpi::test(ranks = [1, 2, 3])]
fn truths(world: Communicator) -> Result<()> {
    let counts = uneven(world.size(), 5);
    let input = |rank: usize| (0..counts.total()).map(|i| !(rank * 5 + i).is_multiple_of(3)).collect();
    returning(&world, &counts, &Case { op: LogicalAnd, input: &input, model: |a: bool, b| a && b })
}

#[mpi::test(ranks = [1, 2, 3])]
fn what_does_not_fit_is_refused(world: Communicator) -> Result<()> {
    let size = world.size();
    let refused = |result: Result<()>, part: &str| {
        let error = result.expect_err(part);
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(error.code(), None, "MPI was entered");
    };
    let mine = vec![1u32; 2 * size + 1];
    let mut out = vec![0u32; 2];
    let even = Counts::even(2 * size, size)?;
    if size > 1 {
        refused(world.reduce_scatter_block(&mine, Sum).map(drop), "are needed");
    }
    refused(world.reduce_scatter_block_into(&mine, &mut out, Sum), "are needed");
    refused(world.reduce_scatter(&mine, &even, Sum).map(drop), "are needed");
    refused(world.reduce_scatter(&mine[1..], &Counts::even(2 * size, size + 1)?, Sum).map(drop), "counts");
    refused(world.reduce_scatter(&mine[1..], &Counts::new(&[])?, Sum).map(drop), "counts");
    refused(world.reduce_scatter_into(&mine[1..], &mut out[1..], &even, Sum), "receive buffer holds 1");
    let gaps = even.with_displs(&(0..size).map(|rank| 2 * rank + 1).collect::<Vec<_>>())?;
    refused(world.reduce_scatter(&mine, &gaps, Sum).map(drop), "no displacements");
    let mut both = mine.clone();
    refused(world.reduce_scatter_in_place(&mut both, &even, Sum).map(drop), "are needed");
    let error = world.ireduce_scatter(mine.clone(), out, &even, Sum).expect_err("too long");
    assert_eq!(error.error.call(), "MPI_Ireduce_scatter");
    Ok(())
}
