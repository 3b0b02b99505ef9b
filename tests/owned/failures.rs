//! A `wait_all` of which one operation fails while others are in flight: it returns, and nothing else is lost.
//!
//! Rank 1 sends the last two of four messages only when rank 0 says that its `wait_all` has failed. So these tests
//! also show that a failure that came before the call ends the call (fault `waitall-spins` of Open MPI).

use mpi::request::PendingSet;
use mpi::{Communicator, ErrorClass, Result, wait_all};

/// Of the message that says that `wait_all` has failed.
const GO: i32 = 9;

/// Message 1 is too long, and has come before rank 0 waits; messages 2 and 3 come after it has.
fn send_the_last_two_later(world: &Communicator) -> Result<()> {
    world.send(&[10u32], 0, 0)?;
    world.send(&[11u32; 3], 0, 1)?;
    world.barrier()?;
    world.recv::<u8>(0, GO)?;
    (2..4).try_for_each(|tag| world.send(&[10 + tag as u32], 0, tag))
}

#[mpi::test(ranks = 2)]
fn a_set_is_waited_for_again(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send_the_last_two_later(&world);
    }
    let posts = (0..4).map(|tag| world.irecv(vec![9u32], 1, tag));
    let mut set = posts.collect::<Result<PendingSet<_>, _>>()?;
    world.barrier()?;
    let failed = set.wait_all().expect_err("one message was too long");
    assert_eq!((failed.error.class(), failed.error.index()), (ErrorClass::TRUNCATE, Some(1)));
    assert_eq!(failed.data.map(|buffer| buffer.len()), Some(1), "MPI is done with the buffer");
    assert_eq!(set.len(), 3, "{set:?}");
    world.send(&0u8, 1, GO)?;
    let values: Vec<_> = set.wait_all()?.into_iter().map(|got| got.data).collect();
    assert_eq!(values, [[10], [12], [13]]);
    assert!(set.is_empty());
    Ok(())
}

/// The others are dropped after the failure: cancelled, so that their messages are still there.
#[mpi::test(ranks = 2)]
fn a_vector_cancels_the_rest(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send_the_last_two_later(&world);
    }
    let requests = (0..4).map(|tag| world.irecv(vec![9u32], 1, tag)).collect::<Result<Vec<_>, _>>()?;
    world.barrier()?;
    let error = wait_all(requests).expect_err("one message was too long");
    assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(1)), "{error}");
    world.send(&0u8, 1, GO)?;
    for tag in 2..4 {
        assert_eq!(world.recv::<u32>(1, tag)?.data, 10 + tag as u32);
    }
    Ok(())
}
