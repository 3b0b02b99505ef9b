//! What the root deals out in one piece goes into a column, blocking and in flight.

use mpi::buffer::{Counts, StridedMut, WithCounts};
use mpi::{Communicator, Result};

const COLS: usize = 3;

/// A table of `rows` rows, whose middle column `fill` lets MPI write; nothing else may change.
fn column(rows: usize, fill: impl FnOnce(StridedMut<'_, u64>) -> Result<()>) -> Result<Vec<u64>> {
    let mut table = vec![7; rows * COLS];
    fill(StridedMut::new(&mut table, 1, rows, 1, COLS)?)?;
    let (inside, outside): (Vec<_>, Vec<_>) = table.iter().enumerate().partition(|(i, _)| i % COLS == 1);
    assert!(outside.iter().all(|&(_, &x)| x == 7), "{table:?}");
    Ok(inside.into_iter().map(|(_, &x)| x).collect())
}

#[mpi::test(ranks = [1, 2, 3])]
fn a_broadcast(world: Communicator) -> Result<()> {
    for root in 0..world.size() {
        let expected: Vec<u64> = (0..5).map(|i| 10 * root as u64 + i).collect();
        let set = |part: &mut StridedMut<'_, u64>| {
            (0..5).for_each(|i| part[(i, 0)] = if world.rank() == root { expected[i] } else { 0 });
        };
        let now = column(5, |mut part| {
            set(&mut part);
            world.bcast(&mut part, root)
        });
        assert_eq!(now?, expected);
        let started = column(5, |mut part| {
            set(&mut part);
            world.scope(|s| s.ibcast(part, root)?.wait().map(drop))
        });
        assert_eq!(started?, expected);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn a_scatter(world: Communicator) -> Result<()> {
    let (me, ranks) = (world.rank(), world.size());
    for root in 0..ranks {
        let all: Vec<u64> = (0..4 * ranks as u64).collect();
        let whole = (me == root).then_some(&all[..]);
        let expected = &all[4 * me..][..4];
        assert_eq!(column(4, |mut part| world.scatter_into(whole, &mut part, root))?, expected);
        let started = column(4, |part| world.scope(|s| s.iscatter(whole, part, root)?.wait().map(drop)));
        assert_eq!(started?, expected);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn a_scatter_of_different_lengths(world: Communicator) -> Result<()> {
    let (me, ranks) = (world.rank(), world.size());
    let counts = Counts::new(&(1..=ranks).collect::<Vec<_>>())?;
    for root in 0..ranks {
        let all: Vec<u64> = (0..counts.total() as u64).collect();
        let blocks = || (me == root).then(|| all.with_counts(&counts));
        let expected = &all[counts.range(me)];
        assert_eq!(column(me + 1, |mut part| world.scatterv_into(blocks(), &mut part, root))?, expected);
        let started =
            column(me + 1, |part| world.scope(|s| s.iscatterv(blocks(), part, root)?.wait().map(drop)));
        assert_eq!(started?, expected);
    }
    Ok(())
}
