//! Sorts what all ranks have together.

use mpi::buffer::{Counts, WithCounts};
use mpi::{Communicator, FromBits, Result};

/// Each rank gets a part of all ranks' elements, sorted; no element of a rank is greater than one of the next.
///
/// Every rank proposes splitters, evenly spaced in what it has; all of them, evenly thinned out, say what goes where.
pub fn sample_sort<T: FromBits + Ord>(mut mine: Vec<T>, world: &Communicator) -> Result<Vec<T>> {
    let (ranks, proposals) = (world.size(), 16 * world.size());
    mine.sort_unstable();
    let samples: Vec<T> =
        (0..proposals).filter_map(|i| mine.get(i * mine.len() / proposals).copied()).collect();
    let mut samples = world.allgatherv(&samples)?;
    samples.sort_unstable();
    let splitters = (1..ranks).filter_map(|i| samples.get(i * samples.len() / ranks));
    let mut ends: Vec<usize> = splitters.map(|s| mine.partition_point(|x| x < s)).collect();
    ends.resize(ranks, mine.len());
    let counts: Vec<usize> = (0..ranks).map(|i| ends[i] - if i == 0 { 0 } else { ends[i - 1] }).collect();
    let mut got = world.alltoallv(&mine.with_counts(&Counts::new(&counts)?))?;
    got.sort_unstable();
    Ok(got)
}
