//! Requests as futures, on two executors that know nothing of MPI, and on none.

use crate::other;
use crate::sample::{same, samples};
use futures::executor::{LocalPool, block_on};
use futures::future::{Either, join_all, select, try_join};
use futures::task::LocalSpawnExt;
use mpi::request::{Pending, PendingSet};
use mpi::{Communicator, Error, Result};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::rc::Rc;

/// One exchange, written for any executor.
async fn exchange(world: &Communicator, len: usize, tag: i32) -> Result<Vec<u64>> {
    let incoming = world.irecv(vec![0u64; len], other(world), tag)?;
    let outgoing = world.isend(samples::<u64>(world.rank(), len), other(world), tag)?;
    let theirs = incoming.await?.data;
    outgoing.await?;
    Ok(theirs)
}

#[mpi::test(ranks = 2)]
fn block_on_of_two_executors(world: Communicator) -> Result<()> {
    for (len, tag) in [(1, 0), (1000, 1), (100_000, 2)] {
        let expected = samples::<u64>(other(&world), len);
        same(&block_on(exchange(&world, len, tag))?, &expected);
        same(&pollster::block_on(exchange(&world, len, tag))?, &expected);
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn join_all_of_many(world: Communicator) -> Result<()> {
    let peer = other(&world);
    // Sent in the other order, so that the first comes last; beyond 30 `join_all` polls only what was woken.
    let incoming =
        (0..100).map(|tag| world.irecv(vec![0usize; 10], peer, tag)).collect::<Result<Vec<_>, _>>()?;
    let outgoing = (0..100).rev().map(|tag| world.isend(vec![tag as usize; 10], peer, tag));
    let outgoing = outgoing.collect::<Result<Vec<_>, _>>()?;
    let (got, sent) = block_on(async { (join_all(incoming).await, join_all(outgoing).await) });
    for (i, got) in got.into_iter().enumerate() {
        assert_eq!(got?.data, [i; 10]);
    }
    assert!(sent.into_iter().all(|sent| sent.is_ok()));
    Ok(())
}

#[mpi::test(ranks = 2)]
fn select_of_two_and_the_other_goes_on(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let (first, second) = (world.irecv(vec![0u8; 2], peer, 1)?, world.irecv(vec![0u8; 2], peer, 2)?);
    world.send(&[2u8, 2], peer, 2)?;
    let Either::Right((got, first)) = block_on(select(first, second)) else { panic!("nobody has sent it") };
    assert_eq!(got?.data, [2, 2]);
    world.barrier()?;
    world.send(&[1u8, 1], peer, 1)?;
    assert_eq!(pollster::block_on(first)?.data, [1, 1]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn tasks_of_a_local_pool(world: Communicator) -> Result<()> {
    let (world, done) = (Rc::new(world), Rc::new(RefCell::new(Vec::new())));
    let mut pool = LocalPool::new();
    for task in 0..20 {
        let (world, done) = (world.clone(), done.clone());
        let run = async move {
            let theirs = exchange(&world, 500, task).await.expect("an exchange");
            same(&theirs, &samples::<u64>(other(&world), 500));
            done.borrow_mut().push(task);
        };
        pool.spawner().spawn_local(run).expect("the pool runs");
    }
    pool.run();
    assert_eq!(done.borrow().len(), 20);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn sets_are_futures(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let post = |tag| world.irecv(vec![0i32; 4], peer, tag);
    let mut set = (0..10).map(post).collect::<Result<PendingSet<_>, _>>()?;
    let send = |tag| world.isend(vec![tag; 4], peer, tag);
    let sends = (0..10).map(send).collect::<Result<PendingSet<_, _>, _>>()?;
    let got = block_on(async {
        let (index, first) = set.any().await?.expect("ten are left");
        assert_eq!(first.data, [index as i32; 4]);
        let (rest, sent) = try_join(set, sends).await?;
        assert_eq!(sent.len(), 10);
        Ok::<_, Error>(rest.len())
    })?;
    assert_eq!(got, 9);
    assert!(block_on(PendingSet::<Vec<u8>>::new())?.is_empty());
    Ok(())
}

#[mpi::test(ranks = 2)]
fn vectors_of_unknown_length_are_awaited(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let result = pollster::block_on(async {
        let awaited = world.irecv_vec::<char>(mpi::Source::ANY, 3)?;
        let outgoing = world.isend(samples::<char>(me, 3000), peer, 3)?;
        let got = awaited.await?;
        outgoing.await?;
        Ok::<_, Error>(got)
    })?;
    same(&result.data, &samples::<char>(peer, 3000));
    Ok(())
}

/// Between ranks: Open MPI says nothing of a short message to self that is truncated.
#[mpi::test(ranks = 2)]
fn a_failed_future_gives_the_buffer_back(world: Communicator) -> Result<()> {
    let incoming = world.irecv(vec![0u8; 2], other(&world), 0)?;
    world.send(&[1u8; 3], other(&world), 0)?;
    let failed = block_on(incoming).expect_err("it is too long");
    assert_eq!(failed.data.map(|buffer| buffer.len()), Some(2));
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn polled_after_it_was_ready(world: Communicator) -> Result<()> {
    let me = world.rank();
    let mut incoming: Pending<_> = world.irecv(vec![0u64; 2], me, 0)?;
    world.isend(vec![1u64; 2], me, 0)?.wait()?;
    assert_eq!(block_on(&mut incoming)?.data, [1, 1]);
    for again in 0..2 {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let result = catch_unwind(AssertUnwindSafe(|| block_on(pin!(&mut incoming)).is_ok()));
        std::panic::set_hook(hook);
        assert!(result.is_err(), "time {again}");
    }
    Ok(())
}
