//! More than 2³¹ elements in one call, on one rank: by the library's functions for large counts, or by derived types, and for
//! the v forms `MPI_Alltoallw`, where it has none. Needs 5 GB; `bash ci/large.sh` runs it with the MPIs of this machine.
//!
//! The memory is zeros that the kernel has not made yet, but for a few marks; all of what arrives is compared.

use anyhow::{Result, ensure};
use mpi::Communicator;
use mpi::buffer::{Counts, Strided, WithCounts};
use mpi::datatype::Layout;
use mpi::op::Max;
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
    with_gaps(&world)?;
    let mut mine = vec![0u8; LEN];
    MARKS.iter().zip(1..).for_each(|(&at, mark)| mine[at] = mark);

    let mut all = vec![0u8; LEN];
    let start = Instant::now();
    let status = world.sendrecv(&mine, 0, 0, &mut all, 0, 0)?.status;
    report("sendrecv", start);
    ensure!(status.count::<u8>() == Some(LEN), "{status:?}");
    check(&all)?;
    drop(all);

    let mut all = vec![0u8; LEN];
    let start = Instant::now();
    world.scope(|s| {
        let incoming = s.irecv(&mut all, 0, 0)?;
        s.isend(&mine, 0, 0)?.defer();
        incoming.wait().map(drop)
    })?;
    report("isend and irecv", start);
    check(&all)?;
    drop(all);

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
    check(&all)?;
    drop(all);

    let mut all = vec![0u8; LEN];
    let start = Instant::now();
    world.allgather_into(&mine, &mut all)?;
    report("allgather_into", start);
    check(&all)?;
    drop(all);

    let mut all = vec![0u8; LEN];
    let start = Instant::now();
    world.allreduce_into(&mine, &mut all, Max)?;
    report("allreduce_into", start);
    check(&all)?;
    drop(all);

    let start = Instant::now();
    let mut message = world.pack();
    message.push(&7u16)?.push(&mine)?;
    let mut pieces = message.unpack();
    ensure!(pieces.next::<u16>()? == 7);
    let all: Vec<u8> = pieces.next_vec()?;
    pieces.finish()?;
    report("pack and unpack", start);
    check(&all)?;
    drop((all, message, mine));
    column(&world)
}

/// Every second byte of a slice, as a column of more rows than an `int` counts.
fn column(world: &Communicator) -> Result<()> {
    let mut table = vec![0u8; 2 * LEN];
    MARKS.iter().zip(1..).for_each(|(&at, mark)| table[2 * at] = mark);
    table[2 * LEN - 1] = 99; // in another column
    let mut all = vec![0u8; LEN];
    let start = Instant::now();
    world.sendrecv(&Strided::new(&table, 0, LEN, 1, 2)?, 0, 0, &mut all, 0, 0)?;
    report("sendrecv of a column", start);
    check(&all)
}

fn report(what: &str, start: Instant) {
    println!("{what} of {LEN} bytes: {:.2} s", start.elapsed().as_secs_f64());
}

/// A layout of so many bytes, in blocks with gaps between them.
fn with_gaps(world: &Communicator) -> Result<()> {
    const BLOCKS: usize = 683;
    const BLOCK: usize = 3 << 20;
    const STRIDE: usize = 4 << 20;
    let layout = Layout::<u8>::element().vector(BLOCKS, BLOCK, STRIDE as isize)?;
    ensure!(layout.len() > 1 << 31, "{layout:?}");
    let mut mine = vec![0u8; (BLOCKS - 1) * STRIDE + BLOCK];
    let mut expected = Vec::new();
    for ((block, at), mark) in
        [(0, 0), (0, BLOCK - 1), (1, 0), (500, 77), (BLOCKS - 1, BLOCK - 1)].into_iter().zip(1..)
    {
        mine[block * STRIDE + at] = mark;
        expected.push((block * BLOCK + at, mark));
    }
    mine[BLOCK] = 99; // in a gap
    let mut all = vec![0u8; layout.len()];
    let start = Instant::now();
    world.sendrecv(&layout.of(&mine)?, 0, 0, &mut all, 0, 0)?;
    println!("sendrecv of {BLOCKS} blocks, {} bytes: {:.2} s", layout.len(), start.elapsed().as_secs_f64());
    ensure!(marks(&all) == expected, "{:?}", marks(&all));
    Ok(())
}

fn check(all: &[u8]) -> Result<()> {
    ensure!(all.len() == LEN, "{} bytes came", all.len());
    let expected: Vec<(usize, u8)> = MARKS.into_iter().zip(1..).collect();
    ensure!(marks(all) == expected, "{:?}", marks(all));
    Ok(())
}

/// The bytes that are not 0, and where they are.
fn marks(all: &[u8]) -> Vec<(usize, u8)> {
    let found = all.chunks(1 << 16).enumerate().filter(|(_, chunk)| **chunk != [0; 1 << 16][..chunk.len()]);
    let found = found.flat_map(|(i, chunk)| (i << 16..).zip(chunk.iter().copied()));
    found.filter(|&(_, byte)| byte != 0).collect()
}
