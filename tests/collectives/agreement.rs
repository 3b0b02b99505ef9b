//! Ranks that do not make the same call: with the look of `checked`, which tests have by default, each gets an `Err` that
//! names who is wrong, and the communicator is as good as before.

use mpi::buffer::{Counts, Parts, PartsMut, WithCounts};
use mpi::op::Sum;
use mpi::{Communicator, ErrorClass, Result};

/// All ranks get the same error, and the next call works.
#[track_caller]
fn refused<T: std::fmt::Debug>(comm: &Communicator, result: Result<T>, text: &str) {
    let error = result.expect_err(text);
    let seen = (error.to_string(), error.class(), error.code());
    assert_eq!(seen, (text.to_owned(), ErrorClass::NOT_SAME, None));
    assert_eq!(comm.allreduce(&1usize, Sum).ok(), Some(comm.size()));
}

fn length(call: &str, rank: usize, gives: usize, others: usize) -> String {
    format!(
        "{call}: rank {rank} gives {gives} bytes, the others {others}: all ranks must agree on the length"
    )
}

/// The last rank gives five integers, the others three.
#[mpi::test(ranks = [2, 3, 4])]
fn another_length(world: Communicator) -> Result<()> {
    let (size, me) = (world.size(), world.rank());
    let odd = size - 1;
    let n = if me == odd { 5 } else { 3 };
    let text = |call| length(call, odd, 20, 12);
    let (mut mine, mut all) = (vec![1u32; n], vec![0u32; n * size]);
    refused(&world, world.bcast(&mut mine, 0), &text("MPI_Bcast"));
    refused(&world, world.allgather(&mine), &text("MPI_Allgather"));
    refused(&world, world.allgather_into(&mine, &mut all), &text("MPI_Allgather"));
    refused(&world, world.allgather_in_place(&mut all), &text("MPI_Allgather"));
    refused(&world, world.alltoall(&all), &text("MPI_Alltoall"));
    refused(&world, world.alltoall_in_place(&mut all), &text("MPI_Alltoall"));
    refused(&world, world.allreduce(&mine, Sum), &text("MPI_Allreduce"));
    refused(&world, world.allreduce_in_place(&mut mine, Sum), &text("MPI_Allreduce"));
    refused(&world, world.scan(&mine, Sum), &text("MPI_Scan"));
    refused(&world, world.exscan(&mine, Sum), &text("MPI_Exscan"));
    refused(&world, world.reduce_scatter_block(&all, Sum), &text("MPI_Reduce_scatter_block"));
    for root in 0..size {
        let is_root = me == root;
        refused(&world, world.reduce(&mine, Sum, root), &text("MPI_Reduce"));
        refused(&world, world.gather(&mine, root), &text("MPI_Gather"));
        let into = world.gather_into(&mine, is_root.then_some(&mut all), root);
        refused(&world, into, &text("MPI_Gather"));
        let scattered = world.scatter_into(is_root.then_some(&all), &mut mine, root);
        refused(&world, scattered, &text("MPI_Scatter"));
        let mut in_place = vec![0u32; if is_root { n * size } else { n }];
        refused(&world, world.gather_in_place(&mut in_place, root), &text("MPI_Gather"));
        refused(&world, world.scatter_in_place(&mut in_place, root), &text("MPI_Scatter"));
    }
    assert!(mine.iter().all(|&x| x == 1), "nothing was communicated");
    Ok(())
}

#[mpi::test(ranks = [2, 3, 4])]
fn another_root(world: Communicator) -> Result<()> {
    let (size, me) = (world.size(), world.rank());
    let root = usize::from(me == size - 1);
    let text = |call| format!("{call}: rank {} says that rank 1 is the root, the others say 0", size - 1);
    // With two ranks, the last one is its own root; else its root is another rank.
    let is_root = me == root;
    refused(&world, world.bcast(&mut [1u8], root), &text("MPI_Bcast"));
    refused(&world, world.reduce(&1u8, Sum, root), &text("MPI_Reduce"));
    refused(&world, world.gather(&1u8, root), &text("MPI_Gather"));
    let all = vec![1u8; size];
    refused(&world, world.scatter_into(is_root.then_some(&all), &mut [0u8], root), &text("MPI_Scatter"));
    let (counts, mut into) = (Counts::new(&vec![1; size])?, vec![0u8; size]);
    let recv = is_root.then(|| into.with_counts_mut(&counts));
    refused(&world, world.gatherv_into(&[1u8], recv, root), &text("MPI_Gatherv"));
    let send = is_root.then(|| all.with_counts(&counts));
    refused(&world, world.scatterv_into(send, &mut [0u8], root), &text("MPI_Scatterv"));
    Ok(())
}

/// What would hang, or crash, or mix up messages.
#[mpi::test(ranks = [2, 3, 4])]
fn another_collective(world: Communicator) -> Result<()> {
    let odd = world.rank() == world.size() - 1;
    let text = |call, theirs, others| {
        format!("{call}: rank {} has called {theirs}, the others {others}", world.size() - 1)
    };
    let result = if odd { world.reduce(&1.5, Sum, 0).map(drop) } else { world.bcast(&mut [1.5], 0) };
    let call = if odd { "MPI_Reduce" } else { "MPI_Bcast" };
    refused(&world, result, &text(call, "MPI_Reduce", "MPI_Bcast"));
    let result = if odd { world.barrier() } else { world.allgather(&[1.5]).map(drop) };
    let call = if odd { "MPI_Barrier" } else { "MPI_Allgather" };
    refused(&world, result, &text(call, "MPI_Barrier", "MPI_Allgather"));
    let result = if odd { world.scan(&1.5, Sum).map(drop) } else { world.exscan(&1.5, Sum).map(drop) };
    let call = if odd { "MPI_Scan" } else { "MPI_Exscan" };
    refused(&world, result, &text(call, "MPI_Scan", "MPI_Exscan"));
    let result = if odd { world.allgatherv(&[1.5]).map(drop) } else { world.allreduce(&1.5, Sum).map(drop) };
    // `allgatherv` first asks for the lengths.
    let call = if odd { "MPI_Allgather" } else { "MPI_Allreduce" };
    refused(&world, result, &text(call, "MPI_Allgather", "MPI_Allreduce"));
    Ok(())
}

/// What `rank` has for `to`, which expects something else.
fn unmatched(call: &str, (rank, gives): (usize, usize), (to, expects): (usize, usize)) -> String {
    format!(
        "{call}: rank {rank} gives {gives} bytes for rank {to}, which expects {expects}: both must agree on the length"
    )
}

/// All count on three integers of the last rank, which gives five.
#[mpi::test(ranks = [2, 3, 4])]
fn another_length_than_counted(world: Communicator) -> Result<()> {
    if cfg!(mpi_low_limit) {
        return Ok(()); // a few elements are as many as 2^31: ranks that disagree make different calls
    }
    let (size, me) = (world.size(), world.rank());
    let odd = size - 1;
    let mut counts: Vec<usize> = (2..size + 2).collect();
    counts[odd] = if me == odd { 5 } else { 3 };
    let counts = Counts::new(&counts)?;
    let (mine, mut all) = (vec![1u32; counts.get(me)], vec![7u32; counts.span()]);
    let text = unmatched("MPI_Allgatherv", (odd, 20), (0, 12));
    let result = world.allgatherv_into(&mine, all.with_counts_mut(&counts));
    refused(&world, result, &text);
    refused(&world, world.allgatherv_in_place(all.with_counts_mut(&counts)), &text);
    let text = unmatched("MPI_Reduce_scatter", (0, 12), (odd, 20));
    refused(&world, world.reduce_scatter(&all, &counts, Sum), &text);
    refused(&world, world.reduce_scatter_in_place(&mut all, &counts, Sum), &text);
    assert!(all.iter().all(|&x| x == 7), "nothing was communicated");
    Ok(())
}

/// The root counts on three integers of each; the last rank gives, or has room for, five.
#[mpi::test(ranks = [2, 3, 4])]
fn another_length_than_the_root_counts(world: Communicator) -> Result<()> {
    let (size, me) = (world.size(), world.rank());
    let (odd, counts) = (size - 1, Counts::new(&vec![3; size])?);
    let mut mine = vec![7u32; if me == odd { 5 } else { 3 }];
    for root in 0..odd {
        let is_root = me == root;
        let mut all = vec![7u32; 3 * size];
        let text = unmatched("MPI_Gatherv", (odd, 20), (root, 12));
        let recv = is_root.then(|| all.with_counts_mut(&counts));
        refused(&world, world.gatherv_into(&mine, recv, root), &text);
        let buffer = if is_root { &mut all } else { &mut mine };
        refused(&world, world.gatherv_in_place(buffer, is_root.then_some(&counts), root), &text);
        let text = unmatched("MPI_Scatterv", (root, 12), (odd, 20));
        let send = is_root.then(|| all.with_counts(&counts));
        refused(&world, world.scatterv_into(send, &mut mine, root), &text);
        let buffer = if is_root { &mut all } else { &mut mine };
        refused(&world, world.scatterv_in_place(buffer, is_root.then_some(&counts), root), &text);
        assert!(all.iter().chain(&mine).all(|&x| x == 7), "nothing was communicated");
    }
    Ok(())
}

/// The last rank has five integers for the first, which counts on three as from all others.
#[mpi::test(ranks = [2, 3, 4])]
fn another_length_than_the_receiver_counts(world: Communicator) -> Result<()> {
    let (size, me) = (world.size(), world.rank());
    let odd = size - 1;
    let expected = Counts::new(&vec![3; size])?;
    let mut counts = vec![3; size];
    counts[0] = if me == odd { 5 } else { 3 };
    let given = Counts::new(&counts)?;
    let (mut mine, mut all) = (vec![1u32; given.total()], vec![7u32; 3 * size]);
    let text = |call| unmatched(call, (odd, 20), (0, 12));
    let result = world.alltoallv_into(mine.with_counts(&given), all.with_counts_mut(&expected));
    refused(&world, result, &text("MPI_Alltoallv"));
    refused(&world, world.alltoallv_in_place(mine.with_counts_mut(&given)), &text("MPI_Alltoallv"));
    let send = Parts::of(given.split(&mine))?;
    let result = world.alltoallw_into(&send, &mut PartsMut::of(all.chunks_exact_mut(3))?);
    refused(&world, result, &text("MPI_Alltoallw"));
    assert!(all.iter().all(|&x| x == 7), "nothing was communicated");
    Ok(())
}

#[mpi::test(ranks = [2, 3, 4])]
fn another_length_than_a_neighbour_counts(world: Communicator) -> Result<()> {
    let (size, me) = (world.size(), world.rank());
    let ring = world.cartesian(&[size], &[true], false)?.expect("every rank has a place");
    let (odd, n) = (size - 1, if me == size - 1 { 5 } else { 3 });
    let text = |call| unmatched(call, (odd, 20), (0, 12));
    let (both, mut all) = (vec![1u32; 2 * n], vec![7u32; 6]);
    refused(&ring, ring.neighbor_allgather(&both[..n]), &text("MPI_Neighbor_allgather"));
    refused(&ring, ring.neighbor_alltoall(&both), &text("MPI_Neighbor_alltoall"));
    let (given, expected) = (Counts::new(&[n, n])?, Counts::new(&[3, 3])?);
    let result = ring.neighbor_allgatherv_into(&both[..n], all.with_counts_mut(&expected));
    refused(&ring, result, &text("MPI_Neighbor_allgatherv"));
    let result = ring.neighbor_alltoallv_into(both.with_counts(&given), all.with_counts_mut(&expected));
    refused(&ring, result, &text("MPI_Neighbor_alltoallv"));
    let send = Parts::of(given.split(&both))?;
    let result = ring.neighbor_alltoallw_into(&send, &mut PartsMut::of(all.chunks_exact_mut(3))?);
    refused(&ring, result, &text("MPI_Neighbor_alltoallw"));
    // What goes up comes from below, also where both neighbours are one rank.
    let counts = Counts::new(&[3, 5])?;
    let (out, mut into) = (vec![1u32; 8], vec![7u32; 8]);
    let result = ring.neighbor_alltoallv_into(out.with_counts(&counts), into.with_counts_mut(&counts));
    refused(&ring, result, &unmatched("MPI_Neighbor_alltoallv", (1, 12), (0, 20)));
    // From beyond the ends of a line nothing comes, so nobody need agree on it.
    let line = world.cartesian(&[size], &[false], false)?.expect("every rank has a place");
    let counts = Counts::new(&[if me == 0 { 9 } else { 3 }, if me == odd { 9 } else { 3 }])?;
    let (out, mut into) = (vec![1u32; counts.total()], vec![7u32; counts.total()]);
    line.neighbor_alltoallv_into(out.with_counts(&counts), into.with_counts_mut(&counts))
}

/// Types may differ where the bytes agree, as MPI allows: an array and its elements.
#[mpi::test(ranks = [2, 3])]
fn the_same_in_other_words(world: Communicator) -> Result<()> {
    let (mut flat, mut rows) = ([world.rank() as f64; 6], [[0.0f64; 3]; 2]);
    if world.rank() == 0 {
        world.bcast(&mut flat, 0)?
    } else {
        world.bcast(&mut rows, 0)?
    }
    assert_eq!(rows, [[0.0; 3]; 2]);
    let counts = Counts::new(&vec![0; world.size()])?;
    let nothing: Vec<u8> = world.alltoallv(&[0u8; 0].with_counts(&counts))?;
    assert_eq!(nothing, []);
    world.barrier()
}

#[mpi::test(ranks = [2, 4])]
fn communicators_inherit_it(world: Communicator) -> Result<()> {
    let refuses = |comm: &Communicator| {
        let odd = comm.size() - 1;
        let mut values = vec![0u8; if comm.rank() == odd { 5 } else { 3 }];
        let result = comm.bcast(&mut values, 0);
        if comm.size() > 1 {
            refused(comm, result, &length("MPI_Bcast", odd, 5, 3))
        }
    };
    refuses(&world.dup()?);
    refuses(&world.split(Some(world.rank() % 2), 0)?.expect("a color was given"));
    let grid = world.cartesian(&[world.size() / 2, 2], &[true, true], false)?.expect("a place");
    refuses(&grid);
    let line = grid.sub(&[false, true])?;
    refuses(&line);
    refuses(&world.dup()?.unchecked().checked());
    Ok(())
}

/// Without the look the library gets what the ranks gave: here the receiver has more room than comes.
#[mpi::test(ranks = 2)]
fn off_again(world: Communicator) -> Result<()> {
    let plain = world.dup()?.unchecked().dup()?;
    let mut values = vec![world.rank() as u8; if world.rank() == 0 { 3 } else { 5 }];
    if let Err(error) = plain.bcast(&mut values, 0) {
        assert!(error.code().is_some(), "the library has said it: {error}");
    }
    assert!(values[..3].iter().all(|&x| x <= 1) && values[3..].iter().all(|&x| x == 1), "{values:?}");
    Ok(())
}
