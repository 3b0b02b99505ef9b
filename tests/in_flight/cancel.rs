//! Receives looked at, and taken back.

use mpi::request::{Cancelled, RequestSet};
use mpi::{Communicator, ErrorClass, Received, Result};
use std::mem::MaybeUninit;
use std::task::Poll;

#[mpi::test(ranks = 2)]
fn a_receive_that_nobody_sends_for_is_cancelled(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let (mut buffer, mut fresh) = ([7u32; 4], [MaybeUninit::<u64>::uninit(); 3]);
    world.scope(|s| {
        let Cancelled::Cancelled(buffer) = s.irecv(&mut buffer, peer, 0)?.cancel()? else {
            panic!("a message from nobody")
        };
        assert_eq!(*buffer, [7; 4]);
        // Of memory that is not initialized, nothing is said to be.
        let Cancelled::Cancelled((received, rest)) = s.irecv(&mut fresh[..], peer, 0)?.cancel()? else {
            panic!("a message from nobody")
        };
        assert_eq!((received.len(), rest.len()), (0, 3));
        // The buffer is ours again, and takes a message that the cancelled receive did not.
        let request = s.irecv(buffer, peer, 0)?;
        s.isend(&[1u32; 4], peer, 0)?.defer();
        assert_eq!(*request.wait()?.data, [1; 4]);
        Ok(())
    })
}

/// The message is received by the cancelled receive or by the next one: never by both, never lost.
#[mpi::test(ranks = 2)]
fn a_message_on_its_way_is_received_once(world: Communicator) -> Result<()> {
    for round in 0..100u32 {
        if world.rank() == 0 {
            world.send(&[round; 5], 1, 0)?;
        } else {
            let mut buffer = [u32::MAX; 5];
            world.scope(|s| {
                match s.irecv(&mut buffer, 0, 0)?.cancel()? {
                    Cancelled::Received(got) => {
                        assert_eq!((*got.data, got.status.count::<u32>()), ([round; 5], Some(5)));
                        assert!(!got.status.is_cancelled());
                    }
                    Cancelled::Cancelled(buffer) => {
                        assert_eq!(*buffer, [u32::MAX; 5]);
                        assert_eq!(world.recv_vec::<u32>(0, 0)?.data, [round; 5]);
                    }
                }
                Ok(())
            })?;
        }
    }
    world.barrier()
}

#[mpi::test(ranks = 1)]
fn a_receive_from_nowhere_is_complete(world: Communicator) -> Result<()> {
    let mut buffer = [3u8; 2];
    world.scope(|s| {
        let request = s.irecv(&mut buffer, None, 0)?;
        assert!(request.is_complete()?);
        let Cancelled::Received(Received { data, status }) = request.cancel()? else {
            panic!("it was complete")
        };
        assert_eq!((*data, status.source(), status.count::<u8>()), ([3; 2], None, Some(0)));
        Ok(())
    })
}

#[mpi::test(ranks = 2)]
fn a_status_before_the_buffer(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let mut buffer = [0u16; 8];
    world.scope(|s| {
        let request = s.irecv(&mut buffer, peer, 5)?;
        assert!(request.get_status()?.is_none() && !request.is_complete()?);
        world.barrier()?;
        let send = s.isend(&[1u16, 2, 3], peer, 5)?;
        let status = loop {
            if let Some(status) = request.get_status()? {
                break status;
            }
        };
        assert_eq!((status.source(), status.tag().get()), (Some(peer), 5));
        assert_eq!((status.count::<u16>(), status.count::<[u16; 2]>()), (Some(3), None));
        assert_eq!((status.elements::<u16>(), status.elements::<[u16; 2]>()), (Some(3), Some(3)));
        assert!(!status.is_cancelled());
        assert!(request.is_complete()?, "it is not freed by being looked at");
        while !send.is_complete()? {}
        send.wait()?;
        assert_eq!(request.wait()?.data[..4], [1, 2, 3, 0]);
        Ok(())
    })
}

/// MPI 4.1's forms for sets; older libraries say what they need.
#[mpi::test(ranks = 2)]
fn statuses_of_a_set(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let mut parts = [[0u8; 2]; 4];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        for (part, tag) in parts.iter_mut().zip(0..) {
            set.push(s.irecv(part, peer, tag)?);
        }
        match set.get_status_any() {
            Ok(found) => assert!(found.is_pending()),
            Err(error) => {
                assert_eq!(error.class(), ErrorClass::UNSUPPORTED_OPERATION);
                assert!(error.to_string().contains("needs MPI 4.1"), "{error}");
                assert!(set.get_status_some(&mut vec![]).is_err() && set.get_status_all().is_err());
                return (0..4).try_for_each(|tag| world.send(&[9u8, 9], peer, tag));
            }
        }
        assert!(set.get_status_all()?.is_pending());
        assert_eq!(set.get_status_some(&mut vec![])?, Some(0));
        world.barrier()?;
        for tag in 0..4 {
            s.isend(&[9u8, 9], peer, tag)?.defer();
        }
        let all = loop {
            if let Poll::Ready(all) = set.get_status_all()? {
                break all;
            }
        };
        assert!(all.iter().zip(0..).all(|((i, status), tag)| *i == tag as usize && status.tag() == tag));
        let mut some = vec![];
        assert_eq!(set.get_status_some(&mut some)?, Some(4));
        assert!(some.iter().all(|(i, status)| status.tag() == *i as i32));
        assert!(matches!(set.get_status_any()?, Poll::Ready(Some((i, status))) if status.tag() == i as i32));
        assert_eq!(set.len(), 4, "all are still there");
        assert_eq!(set.wait_all()?.len(), 4);
        assert!(matches!(set.get_status_any()?, Poll::Ready(None)));
        assert_eq!(set.get_status_some(&mut some)?, None);
        Ok(())
    })
}

/// Receives of two kinds in one set; a status is that of the message, whatever it is mapped to.
#[mpi::test(ranks = 2)]
fn looks_at_boxed_requests(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let (mut numbers, mut bytes) = ([0u64; 4], vec![0u8; 9]);
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        let request = s.irecv(&mut numbers, peer, 1)?.map(|got| got.data[0]);
        assert!(request.get_status()?.is_none());
        set.push(request.boxed());
        set.push(s.irecv(&mut bytes[..], peer, 2)?.map(|got| got.data[0].into()).boxed());
        let early = match set.get_status_any() {
            Ok(early) => early,
            Err(error) => {
                assert_eq!(error.class(), ErrorClass::UNSUPPORTED_OPERATION, "{error}");
                Poll::Pending
            }
        };
        assert!(early.is_pending());
        world.barrier()?;
        s.isend(&[7u64; 2], peer, 1)?.wait()?;
        s.isend(&[8u8; 5][..], peer, 2)?.wait()?;
        let looked = loop {
            match set.get_status_all() {
                Ok(Poll::Ready(all)) => break all,
                Ok(Poll::Pending) => {}
                Err(_) => break Vec::new(),
            }
        };
        for (index, status) in looked {
            let (count, expected) =
                [(status.count::<u64>(), Some(2)), (status.count::<u8>(), Some(5))][index];
            assert_eq!((status.source(), count), (Some(peer), expected));
        }
        let mut values: Vec<u64> = Vec::new();
        for (_, value) in set.wait_all()? {
            values.push(value?);
        }
        values.sort_unstable();
        assert_eq!(values, [7, 8]);
        Ok(())
    })
}
