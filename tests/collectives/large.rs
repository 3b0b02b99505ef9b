//! The way that large counts take where the library has no functions for them, with limits that tests can pass.

use crate::layouts::{cases, laid_out, message};
use crate::sample::{Sample, same};
use mpi::buffer::WithCounts;
use mpi::test_support::{allgatherv_by_parts, alltoallv_by_parts};
use mpi::{AnyBits, Communicator, Result};

/// Nothing but derived types; types of some blocks; none.
const LIMITS: [i32; 4] = [1, 3, 100, i32::MAX];

fn by_parts<T: Sample + AnyBits>(world: &Communicator) -> Result<()> {
    let me = world.rank();
    for (case, limit) in cases(world.size(), 8).zip(LIMITS.into_iter().cycle()) {
        let counts = case.recv.counts(case.row(0));
        let mine: Vec<T> = message(me, 0, counts.get(me));
        let mut got = laid_out(&counts, |_, n| vec![T::sample(3); n]);
        allgatherv_by_parts(world, &mine, got.with_counts_mut(&counts), limit)?;
        same(&got, &laid_out(&counts, |rank, n| message(rank, 0, n)));

        let outgoing = case.send.counts(case.row(me));
        let incoming = case.recv.counts(&case.column(me));
        let send = laid_out(&outgoing, |to, n| message::<T>(me, to, n));
        let mut got = laid_out(&incoming, |_, n| vec![T::sample(3); n]);
        alltoallv_by_parts(world, send.with_counts(&outgoing), got.with_counts_mut(&incoming), limit)?;
        same(&got, &laid_out(&incoming, |from, n| message(from, me, n)));
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn bytes(world: Communicator) -> Result<()> {
    by_parts::<u8>(&world)
}

#[mpi::test(ranks = [1, 2, 3])]
fn arrays(world: Communicator) -> Result<()> {
    by_parts::<[f64; 3]>(&world)?;
    by_parts::<i128>(&world)
}
