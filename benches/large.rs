//! More than 2³¹ elements in one v form, on one rank: by the library's functions for large counts, or by `MPI_Alltoallw` and
//! derived types where it has none. Needs 4.5 GB; `bash ci/large.sh` runs it with the MPIs of this machine.
//!
//! The memory is zeros that the kernel has not made yet, but for a few marks; all of what arrives is compared.

use anyhow::{Result, ensure};
use mpi::buffer::{Counts, WithCounts};
use std::time::Instant;

/// A few more than an `int` counts.
const LEN: usize = (1 << 31) + 4097;

/// Where the sent bytes are not 0: at both ends, and about the largest `int`.
const MARKS: [usize; 7] = [0, 1, (1 << 31) - 2, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, LEN - 1];

fn main() -> Result<()> {
    if std::env::args().all(|arg| arg != "--bench") {
        return Ok(()); // `cargo test --benches` has not the memory
    }
    let world = mpi::init()?;
    ensure!(world.size() == 1, "this is for one rank");
    let mut mine = vec![0u8; LEN];
    MARKS.iter().zip(1..).for_each(|(&at, mark)| mine[at] = mark);
    let counts = Counts::new(&[LEN])?;

    let mut all = vec![0u8; LEN];
    let start = Instant::now();
    world.allgatherv_into(&mine, all.with_counts_mut(&counts))?;
    report("allgatherv_into", start);
    check(&all)?;
    drop(all);

    let start = Instant::now();
    let all = world.alltoallv(&mine.with_counts(&counts))?;
    report("alltoallv", start);
    check(&all)?;
    drop(all);

    let start = Instant::now();
    let all = world.gatherv(&mine, 0)?.unwrap_or_default();
    report("gatherv", start);
    check(&all)?;
    drop(all);

    let start = Instant::now();
    let all = world.scatterv(Some(&mine.with_counts(&counts)), 0)?;
    report("scatterv", start);
    check(&all)
}

fn report(what: &str, start: Instant) {
    println!("{what} of {LEN} bytes: {:.2} s", start.elapsed().as_secs_f64());
}

fn check(all: &[u8]) -> Result<()> {
    ensure!(all.len() == LEN, "{} bytes came", all.len());
    let found = all.chunks(1 << 16).enumerate().filter(|(_, chunk)| **chunk != [0; 1 << 16][..chunk.len()]);
    let found: Vec<(usize, u8)> = found
        .flat_map(|(i, chunk)| (i << 16..).zip(chunk.iter().copied()))
        .filter(|&(_, byte)| byte != 0)
        .collect();
    let expected: Vec<(usize, u8)> = MARKS.into_iter().zip(1..).collect();
    ensure!(found == expected, "{found:?}");
    Ok(())
}
