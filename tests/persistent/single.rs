//! One operation on one buffer, started again and again.

use crate::sample::{same, samples};
use mpi::request::Test;
use mpi::{Communicator, Result, Source, Tag};

#[mpi::test(ranks = [1, 2, 3])]
fn around_a_ring(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    for len in [0, 1, 1000, 100_000] {
        let mut send = world.send_init(vec![0.0f32; len], next, 4)?;
        let mut receive = world.recv_init(vec![0.0f32; len], previous, Tag::ANY)?;
        for round in 0..4 {
            send.buffer_mut()?.copy_from_slice(&samples(me + round, len));
            let incoming = receive.start()?;
            let outgoing = send.start()?;
            same(outgoing.buffer(), &samples::<f32>(me + round, len));
            let status = incoming.wait()?;
            assert_eq!(
                (status.source(), status.tag().get(), status.count::<f32>()),
                (Some(previous), 4, Some(len))
            );
            outgoing.wait()?;
            same(receive.buffer()?, &samples::<f32>(previous + round, len));
        }
        same(&send.into_inner()?, &samples::<f32>(me + 3, len));
        assert_eq!(receive.into_inner()?.len(), len);
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_server_takes_what_comes(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return (1..20).try_for_each(|n| world.send(&vec![n as u8; n as usize], 0, n));
    }
    let mut receive = world.recv_init([0u8; 32], Source::ANY, Tag::ANY)?;
    for n in 1..20usize {
        let mut incoming = receive.start()?;
        let status = loop {
            match incoming.test()? {
                Test::Done(status) => break status,
                Test::Pending(again) => incoming = again,
            }
        };
        assert_eq!((status.tag().get() as usize, status.count::<u8>()), (n, Some(n)));
        assert_eq!(receive.buffer()?[..n], vec![n as u8; n]);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn nobody(world: Communicator) -> Result<()> {
    let (mut send, mut receive) = (world.send_init([1u8; 4], None, 0)?, world.recv_init([5u8; 4], None, 0)?);
    for _ in 0..3 {
        send.start()?.wait()?;
        let status = receive.start()?.wait()?;
        assert_eq!((status.source(), status.count::<u8>()), (None, Some(0)));
    }
    assert_eq!(receive.into_inner()?, [5; 4]);
    Ok(())
}
