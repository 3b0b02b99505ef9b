//! Owned receives looked at, and taken back.

use crate::other;
use mpi::request::Cancelled;
use mpi::{Communicator, ErrorClass, Result};

#[mpi::test(ranks = 2)]
fn what_nobody_sends_is_cancelled(world: Communicator) -> Result<()> {
    let peer = other(&world);
    for _ in 0..10 {
        let Cancelled::Cancelled(buffer) = world.irecv(vec![7u32; 4], peer, 0)?.cancel()? else {
            panic!("a message from nobody")
        };
        assert_eq!(buffer, [7; 4]);
    }
    world.barrier()?;
    // What was cancelled takes no message.
    let incoming = world.irecv(vec![0u32; 4], peer, 0)?;
    world.isend(vec![1u32, 2], peer, 0)?.wait()?;
    assert_eq!(incoming.wait()?.data, [1, 2, 0, 0]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_message_that_came_first_is_received(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let incoming = world.irecv(vec![0u32; 4], peer, 0)?;
    assert!(incoming.get_status()?.is_none() || !incoming.is_complete()?);
    world.barrier()?;
    let outgoing = world.isend(vec![5u32, 6], peer, 0)?;
    let status = loop {
        if let Some(status) = incoming.get_status()? {
            break status;
        }
    };
    assert_eq!((status.source(), status.count::<u32>()), (Some(peer), Some(2)));
    assert!(incoming.is_complete()?);
    let Cancelled::Received(got) = incoming.cancel()? else { panic!("it had come") };
    assert_eq!((got.data, got.status.count::<u32>()), (vec![5, 6, 0, 0], Some(2)));
    while !outgoing.is_complete()? {}
    outgoing.wait()?;
    // From nowhere nothing comes, and nothing is cancelled.
    let Cancelled::Received(got) = world.irecv(vec![3u8], None, 0)?.cancel()? else { panic!("no request") };
    assert_eq!((got.data, got.status.source()), (vec![3], None));
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_failure_gives_the_buffer_back(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let incoming = world.irecv(vec![0u32; 1], peer, 0)?;
    world.barrier()?;
    world.isend(vec![1u32; 50], peer, 0)?.wait()?;
    world.barrier()?;
    let failed = loop {
        if incoming.is_complete().is_err() || incoming.is_complete()? {
            break incoming.map(|got| got.data).wait().expect_err("too long");
        }
    };
    assert_eq!(failed.error.class(), ErrorClass::TRUNCATE);
    assert!(failed.data.is_some(), "MPI has given the request up");
    Ok(())
}
