//! Persistent collectives: alone and in plans, started again and again, against the blocking forms.

use crate::sample::{same, samples};
use mpi::buffer::{Counts, WithCounts};
use mpi::op::{Max, Min, Sum};
use mpi::persistent::{ArrayId, PersistentCollective, Plan};
use mpi::topology::Cartesian;
use mpi::{Communicator, Error, ErrorClass, Result};

/// Whether the library has persistent collectives that can be used: MPICH has since 4.2.
fn has_any() -> Result<bool> {
    let wrong = cfg!(all(mpi_abi = "mpich", not(mpi_has = "MPI_Buffer_iflush")));
    Ok(!wrong && mpi::environment::loaded_library()?.standard.0 >= 4)
}

/// A collective that was made, or `None` where the library has none: then, and only then, it must be refused.
#[track_caller]
fn made<T, E: Into<Error>>(result: Result<T, E>) -> Result<Option<T>> {
    match result.map_err(E::into) {
        Err(error) if !has_any()? => {
            assert_eq!((error.class(), error.code()), (ErrorClass::UNSUPPORTED_OPERATION, None), "{error}");
            assert!(error.call().ends_with("_init"), "{error}");
            Ok(None)
        }
        result => result.map(|made| has_any().map(|has| has.then_some(made)))?,
    }
}

/// What a rank gives in a step.
fn given(rank: usize, step: usize, len: usize) -> Vec<i64> {
    samples::<i32>(rank + 10 * step, len).into_iter().map(|x| i64::from(x) >> 8).collect()
}

/// Starts it three times, each time on other input, and compares with what the blocking form gives.
fn steps(
    made: Option<PersistentCollective<'_, i64>>,
    rank: usize,
    blocking: impl Fn(&[i64]) -> Result<Vec<i64>>,
) -> Result<()> {
    let Some(mut collective) = made else { return Ok(()) };
    for step in 0..3 {
        let len = collective.input()?.len();
        let input = given(rank, step, len);
        collective.input_mut()?.copy_from_slice(&input);
        let started = collective.start()?;
        same(started.input(), &input);
        started.wait()?;
        same(collective.result()?, &blocking(&input)?);
        same(collective.input()?, &input);
    }
    let (input, result) = collective.into_inner()?;
    same(&result, &blocking(&input)?);
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn reductions(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for len in [0, 1, 7, 1000] {
        let (zeros, room) = (|| vec![0i64; len], || vec![0i64; len]);
        steps(made(world.allreduce_init(zeros(), room(), Sum))?, me, |x| world.allreduce(x, Sum))?;
        steps(made(world.scan_init(zeros(), room(), Max))?, me, |x| world.scan(x, Max))?;
        let exscan = made(world.exscan_init(zeros(), room(), Min))?;
        steps(exscan, me, |x| {
            let mut result = vec![0; len];
            world.exscan_into(x, &mut result, Min)?;
            Ok(result)
        })?;
        for root in 0..size {
            let result = (me == root).then(room);
            let reduce = made(world.reduce_init(zeros(), result, Sum, root))?;
            steps(reduce, me, |x| Ok(world.reduce(x, Sum, root)?.unwrap_or_default()))?;
        }
        let all = || vec![0i64; len * size];
        steps(made(world.reduce_scatter_block_init(all(), room(), Sum))?, me, |x| {
            world.reduce_scatter_block(x, Sum)
        })?;
        let counts = Counts::even(len, size)?;
        let own = vec![0i64; counts.get(me)];
        let dealt = made(world.reduce_scatter_init(zeros(), own, &counts, Sum))?;
        steps(dealt, me, |x| world.reduce_scatter(x, &counts, Sum))?;
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn equal_blocks(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for len in [0, 1, 7, 1000] {
        let (one, all) = (|| vec![0i64; len], || vec![0i64; len * size]);
        steps(made(world.allgather_init(one(), all()))?, me, |x| world.allgather(x))?;
        steps(made(world.alltoall_init(all(), all()))?, me, |x| world.alltoall(x))?;
        for root in 0..size {
            let is_root = me == root;
            let gather = made(world.gather_init(one(), is_root.then(all), root))?;
            steps(gather, me, |x| Ok(world.gather(x, root)?.unwrap_or_default()))?;
            let scatter = made(world.scatter_init(is_root.then(all), one(), root))?;
            steps(scatter, me, |x| world.scatter(is_root.then_some(x), root))?;
            if let Some(mut bcast) = made(world.bcast_init(one(), root))? {
                for step in 0..3 {
                    if is_root {
                        bcast.result_mut()?.copy_from_slice(&given(root, step, len));
                    }
                    bcast.start()?.wait()?;
                    same(bcast.result()?, &given(root, step, len));
                }
            }
        }
    }
    if let Some(mut barrier) = made(world.barrier_init())? {
        (0..3).try_for_each(|_| barrier.start()?.wait())?;
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn varied_blocks(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    // What rank `a` gives to rank `b`: none to some.
    let len = |a: usize, b: usize| (a + 2 * b) % 3 * 5;
    let to = Counts::new(&(0..size).map(|b| len(me, b)).collect::<Vec<_>>())?;
    let from = Counts::new(&(0..size).map(|a| len(a, me)).collect::<Vec<_>>())?;
    let all = Counts::new(&(0..size).map(|a| len(a, 1)).collect::<Vec<_>>())?;
    let (out, room) = (vec![0i64; to.total()], vec![0i64; from.total()]);
    let alltoallv = made(world.alltoallv_init(out, &to, room, &from))?;
    steps(alltoallv, me, |x| {
        // Equal blocks of the longest length stand for it.
        let mut padded = vec![0; 10 * size];
        to.split(x).enumerate().for_each(|(b, block)| padded[10 * b..][..block.len()].copy_from_slice(block));
        let got = world.alltoall(&padded)?;
        Ok((0..size).flat_map(|a| got[10 * a..][..len(a, me)].to_vec()).collect())
    })?;
    let gathered = |x: &[i64]| -> Result<Vec<i64>> {
        let mut padded = x.to_vec();
        padded.resize(10, 0);
        let got = world.allgather(&padded)?;
        Ok((0..size).flat_map(|a| got[10 * a..][..len(a, 1)].to_vec()).collect())
    };
    let mine = || vec![0i64; len(me, 1)];
    steps(made(world.allgatherv_init(mine(), vec![0; all.total()], &all))?, me, gathered)?;
    for root in 0..size {
        let is_root = me == root;
        let room = is_root.then(|| (vec![0; all.total()], &all));
        let gatherv = made(world.gatherv_init(mine(), room, root))?;
        steps(gatherv, me, |x| Ok(if is_root { gathered(x)? } else { gathered(x).map(|_| Vec::new())? }))?;
        let parcels = is_root.then(|| (vec![0; all.total()], &all));
        let scatterv = made(world.scatterv_init(parcels, mine(), root))?;
        steps(scatterv, me, |x| {
            let mut everything = x.to_vec();
            everything.resize(all.total(), 0);
            world.bcast(&mut everything, root)?;
            Ok(everything[all.range(me)].to_vec())
        })?;
    }
    Ok(())
}

fn on_grids(world: &Communicator, check: impl Fn(&Cartesian) -> Result<()>) -> Result<()> {
    let size = world.size();
    for dims in [[size, 1], [1, size], [2, size / 2], [size, 1]] {
        for periods in [[true, true], [false, true]] {
            if dims[0] * dims[1] == size {
                check(&world.cartesian(&dims, &periods, false)?.expect("every rank has a place"))?;
            }
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn neighbors(world: Communicator) -> Result<()> {
    on_grids(&world, |grid| {
        let (me, len) = (grid.rank(), 5);
        let four = || vec![0i64; 4 * len];
        steps(made(grid.neighbor_alltoall_init(four(), four()))?, me, |x| grid.neighbor_alltoall(x))?;
        let gather = made(grid.neighbor_allgather_init(vec![0; len], four()))?;
        steps(gather, me, |x| grid.neighbor_allgather(x))?;
        let to = Counts::new(&[1, 2, 3, 4])?;
        let from = Counts::new(&[2, 1, 4, 3])?;
        let ten = || vec![0i64; 10];
        steps(made(grid.neighbor_alltoallv_init(ten(), &to, ten(), &from))?, me, |x| {
            let mut result = ten();
            grid.neighbor_alltoallv_into(x.with_counts(&to), result.with_counts_mut(&from))?;
            Ok(result)
        })?;
        let equal = Counts::new(&[3; 4])?;
        steps(made(grid.neighbor_allgatherv_init([0; 3], [0; 12], &equal))?, me, |x| {
            let mut result = vec![0; 12];
            grid.neighbor_allgatherv_into(x, result.with_counts_mut(&equal))?;
            Ok(result)
        })
    })
}

/// A halo exchange of a field in one plan, with a reduction and messages beside it, all started together.
#[mpi::test(ranks = [1, 2, 4])]
fn everything_in_one_plan(world: Communicator) -> Result<()> {
    const N: usize = 4;
    let cell = |rank: usize, step: usize, r: usize, c: usize| (1000 * rank + 100 * step + 10 * r + c) as f64;
    on_grids(&world, |ranks| {
        let (me, size) = (ranks.rank(), ranks.size());
        let (up, down) = ranks.shift(0, 1)?;
        let (left, right) = ranks.shift(1, 1)?;
        let mut plan = Plan::new(ranks);
        let field = plan.grid(vec![-1.0f64; (N + 2) * (N + 2)], N + 2, N + 2)?;
        let (mine, sums, note) = (plan.array([0u32; 2]), plan.array([0u32; 6]), plan.array([0u8; 4]));
        let inner = 1..N + 1;
        let sides = [
            (1..2, inner.clone()),
            (N..N + 1, inner.clone()),
            (inner.clone(), 1..2),
            (inner.clone(), N..N + 1),
        ];
        let ghosts = [
            (0..1, inner.clone()),
            (N + 1..N + 2, inner.clone()),
            (inner.clone(), 0..1),
            (inner.clone(), N + 1..N + 2),
        ];
        let of = |block| (field, block);
        let halo = plan.neighbor_alltoallw(sides.map(of), ghosts.map(of)).map(drop);
        if made(halo)?.is_none() {
            return Ok(());
        }
        plan.allreduce(mine, (sums, 2..4), Sum)?.barrier()?;
        plan.recv(note, 0..2, (me + size - 1) % size, 0)?.send(note, 2..4, (me + 1) % size, 0)?;
        assert_eq!(plan.operations(), 5);
        for step in 0..3 {
            for (r, c) in (0..N).flat_map(|r| (0..N).map(move |c| (r, c))) {
                plan.get_mut(field)?[(r + 1) * (N + 2) + c + 1] = cell(me, step, r, c);
            }
            plan.get_mut(mine)?.copy_from_slice(&[me as u32, step as u32]);
            plan.get_mut(note)?[2..].copy_from_slice(&[me as u8, step as u8]);
            let flight = plan.start()?;
            let core = flight.view(field, (inner.clone(), inner.clone()))?;
            assert_eq!(core.iter().count(), N * N, "what is only sent can be read");
            flight.view(field, (0..1, inner.clone())).expect_err("a ghost is received");
            flight.view(sums, 0..4).expect_err("the sums are received");
            flight.wait()?;
            let got = plan.get(field)?;
            let at = |r: usize, c: usize| got[r * (N + 2) + c];
            let from = |rank: Option<usize>, r, c| rank.map_or(-1.0, |rank| cell(rank, step, r, c));
            for i in 0..N {
                assert_eq!(at(0, i + 1), from(up, N - 1, i));
                assert_eq!(at(N + 1, i + 1), from(down, 0, i));
                assert_eq!(at(i + 1, 0), from(left, i, N - 1));
                assert_eq!(at(i + 1, N + 1), from(right, i, 0));
            }
            let triangle = (size * (size - 1) / 2) as u32;
            assert_eq!(plan.get(sums)?, [0, 0, triangle, (size * step) as u32, 0, 0]);
            assert_eq!(plan.get(note)?[..2], [((me + size - 1) % size) as u8, step as u8]);
        }
        // Without one array: the others go on.
        plan.take(mine)?;
        assert_eq!(plan.operations(), 4);
        plan.start()?.wait()
    })
}

/// Borrowed arrays, of which one is only read; the scope ends while the collective is in flight.
#[mpi::test(ranks = [1, 2, 3])]
fn in_a_scope(world: Communicator) -> Result<()> {
    let (mine, mut all) = (given(world.rank(), 0, 6), vec![0i64; 6 * world.size()]);
    let mut largest = given(world.rank(), 1, 3);
    let done = world.scope(|s| {
        let mut plan = s.plan();
        let (from, into, both) = (plan.array(&mine), plan.array(&mut all), plan.array(&mut largest));
        if made(plan.allgather(from, into).map(drop))?.is_none() {
            return Ok(false);
        }
        plan.allreduce_in_place(both, Max)?;
        plan.start()?.wait()?;
        same(plan.get(both)?, &s.comm().allreduce(&given(world.rank(), 1, 3), Max)?);
        std::mem::forget(plan.start()?);
        std::mem::forget(plan);
        Ok(true)
    })?;
    if done {
        same(&all, &world.allgather(&mine)?);
    }
    Ok(())
}

/// What is wrong is found by the rank that does it, before MPI is called.
#[mpi::test(ranks = [1, 2])]
fn mistakes(world: Communicator) -> Result<()> {
    let mut plan = Plan::new(&world);
    let (x, y) = (plan.array([0i32; 6]), plan.grid(vec![0i32; 12], 3, 4)?);
    let refused = |result: Result<&mut Plan<'_>>, class, text: &str| {
        let error = result.map(drop).expect_err(text);
        assert_eq!((error.to_string().as_str(), error.class(), error.code()), (text, class, None));
    };
    let count = "MPI_Allreduce_init: the receive buffer holds 6 elements, but 12 are needed";
    refused(plan.allreduce(y, x, Sum), ErrorClass::COUNT, count);
    let spread = "MPI_Allreduce_init: a block of 3 rows of 2 elements is no row and not whole rows: this call takes what is in one piece";
    refused(plan.allreduce((y, (0..3, 0..2)), x, Sum), ErrorClass::BUFFER, spread);
    let overlap = "MPI_Allreduce_init: the two blocks of array 0 overlap";
    refused(plan.allreduce((x, 0..3), (x, 2..5), Sum), ErrorClass::BUFFER, overlap);
    let root = format!(
        "MPI_Bcast_init: root 9 is not a rank of this communicator, which has {} (0 to {})",
        world.size(),
        world.size() - 1
    );
    refused(plan.bcast(x, 9), ErrorClass::ROOT, &root);
    let bare = format!(
        "MPI_Neighbor_alltoall_init: this communicator of {} ranks has no topology, so nobody is a neighbour",
        world.size()
    );
    refused(plan.neighbor_alltoall((x, 0..2), (x, 2..4)), ErrorClass::TOPOLOGY, &bare);
    let other = Plan::new(&world).array([0i32; 6]);
    let foreign = "MPI_Bcast_init: array 0 is not one of this plan's 2: another plan made the id, or the array was taken";
    refused(plan.bcast(other, 0), ErrorClass::ARG, foreign);
    let nobody = "MPI_Reduce_init: rank 0 is the root and must give the buffer the root needs";
    if world.rank() == 0 {
        refused(plan.reduce(x, None::<ArrayId<i32>>, Sum, 0), ErrorClass::BUFFER, nobody);
    }
    assert_eq!(plan.operations(), 0, "nothing of it was kept");
    plan.get_mut(x)?.fill(1);
    if made(plan.bcast((x, 0..3), 0).map(drop))?.is_some() {
        let taken = "MPI_Bcast_init: the block overlaps block 0 of the 1 that are received into this array";
        refused(plan.bcast((x, 2..4), 0), ErrorClass::BUFFER, taken);
        plan.start()?.wait()?;
    }
    world.barrier()
}
