//! How requests end that nobody waits for, and communicators that are in use.

use crate::other;
use crate::sample::{same, samples};
use mpi::{Communicator, ErrorClass, Result, Source, Tag};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Far less than the stall limit, far more than a message takes on a busy machine.
const SOON: Duration = Duration::from_secs(5);

#[mpi::test(ranks = 2)]
fn drop_waits(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let shared: Arc<[u64]> = vec![1; 100_000].into();
    for _ in 0..10 {
        let incoming = world.irecv(vec![0u64; 100_000], peer, 0)?;
        let outgoing = world.isend(shared.clone(), peer, 0)?;
        drop(incoming);
        drop(outgoing);
        assert_eq!(Arc::strong_count(&shared), 1);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn an_early_error_cancels_what_is_received_for(world: Communicator) -> Result<()> {
    let me = world.rank();
    let started = Instant::now();
    let early = || -> Result<()> {
        let _never =
            (world.irecv(vec![0u8; 100], me, 1)?, world.irecv(Box::new(0u32), Source::ANY, Tag::ANY)?);
        let _awaited = world.irecv_vec::<u8>(me, 2)?;
        world.isend(vec![1u8], world.size(), 0)?.wait()?;
        Ok(())
    };
    assert_eq!(early().expect_err("no such rank").class(), ErrorClass::RANK);
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    // What was cancelled takes no message.
    let outgoing = world.isend(vec![5u8; 3], me, 1)?;
    assert_eq!(world.recv_vec::<u8>(me, 1)?.data, [5; 3]);
    outgoing.wait()?;
    Ok(())
}

/// A communicator that is dropped while requests use it: the last of them frees it. If it were freed at once, Open MPI would
/// end the job when one of them fails.
#[mpi::test(ranks = 2)]
fn a_dropped_communicator_completes_its_requests(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    for len in [10, 200_000] {
        let dup = world.dup()?;
        let incoming = dup.irecv(vec![0u32; len], peer, 0)?;
        let short = dup.irecv(vec![0u32; 1], peer, 1)?;
        world.barrier()?;
        let outgoing = dup.isend(samples::<u32>(me, len), peer, 0)?;
        let long = dup.isend(vec![7u32; 3], peer, 1)?;
        drop(dup);
        same(&incoming.wait()?.data, &samples::<u32>(peer, len));
        // Its errors are values still.
        assert_eq!(short.wait().expect_err("too long").error.class(), ErrorClass::TRUNCATE);
        outgoing.wait()?;
        long.wait()?;
        world.barrier()?;
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn free_gives_back_a_communicator_in_use(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let dup = world.dup()?;
    let incoming = dup.irecv(vec![0u8; 4], peer, 0)?;
    let awaited = dup.irecv_vec::<u8>(peer, 1)?;
    let refused = dup.free().expect_err("it is in use");
    assert!(refused.error.to_string().contains("2 operation(s)"), "{}", refused.error);
    let dup = refused.data;
    dup.send(&[1u8; 4], peer, 0)?;
    assert_eq!(incoming.wait()?.data, [1; 4]);
    let refused = dup.free().expect_err("a message is awaited");
    refused.data.send(&[2u8; 3], peer, 1)?;
    assert_eq!(awaited.wait()?.data, [2; 3]);
    refused.data.free()?;

    // What awaits a message keeps it.
    let dup = world.dup()?;
    let awaited = dup.irecv_vec::<u8>(peer, 1)?;
    dup.send(&[3u8; 2], peer, 1)?;
    drop(dup);
    assert_eq!(awaited.wait()?.data, [3; 2]);
    world.dup()?.free()?;
    Ok(())
}
