//! A `wait_all` of which one operation fails while others are in flight: it returns, and nothing else is lost.
//!
//! The failure came before the call, where Open MPI's own `MPI_Waitall` never returns (fault `waitall-spins`).

use crate::one_too_long::{returns_early, seen, send};
use mpi::request::{PendingSet, Test};
use mpi::{Communicator, Result, wait_all};

#[mpi::test(ranks = 2)]
fn a_set_is_waited_for_again(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send(&world);
    }
    let posts = (0..4).map(|tag| world.irecv(vec![9u32], 1, tag));
    let mut set = posts.collect::<Result<PendingSet<_>, _>>()?;
    world.barrier()?;
    let failed = set.wait_all().expect_err("one message was too long");
    assert_eq!(failed.data.map(|buffer| buffer.len()), Some(1), "MPI is done with the buffer");
    assert_eq!(set.len(), 3, "{set:?}");
    if returns_early() {
        assert!(matches!(set.test_all()?, Test::Pending(())), "the last two cannot have come");
    }
    seen(&world, failed.error)?;
    let values: Vec<_> = set.wait_all()?.into_iter().map(|got| got.data).collect();
    assert_eq!(values, [[10], [12], [13]]);
    assert!(set.is_empty());
    Ok(())
}

/// The others are dropped after the failure: one is cancelled, so that its message is still there, or it has come.
#[mpi::test(ranks = 2)]
fn a_vector_drops_the_rest(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        send(&world)?;
        return world.send(&[20u32], 0, 4);
    }
    let requests = (0..4).map(|tag| world.irecv(vec![9u32], 1, tag)).collect::<Result<Vec<_>, _>>()?;
    world.barrier()?;
    seen(&world, wait_all(requests).expect_err("one message was too long"))?;
    if returns_early() {
        for tag in 2..4 {
            assert_eq!(world.recv::<u32>(1, tag)?.data, 10 + tag as u32);
        }
    }
    assert_eq!(world.recv::<u32>(1, mpi::Tag::ANY)?.data, 20, "nothing else is left");
    Ok(())
}
