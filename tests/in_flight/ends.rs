//! How a scope ends: with an early `Err` it must not wait for messages that never come.

use mpi::{Communicator, Error, ErrorClass, Result};
use std::time::{Duration, Instant};

/// Far less than the stall limit, far more than a message takes on a busy machine.
const SOON: Duration = Duration::from_secs(5);

#[mpi::test(ranks = [1, 2])]
fn an_early_error_cancels_receives_that_match_nothing(world: Communicator) -> Result<()> {
    let me = world.rank();
    let (mut buffer, mut other) = ([7u32; 1000], [8u8; 3]);
    let started = Instant::now();
    let result = world.scope(|s| {
        let _receives = (s.irecv(&mut buffer, me, 1)?, s.irecv(&mut other, mpi::Source::ANY, mpi::Tag::ANY)?);
        world.send(&1u8, world.size(), 0)?;
        Ok(())
    });
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    assert_eq!(result.expect_err("no such rank").class(), ErrorClass::RANK);
    assert_eq!((buffer, other), ([7; 1000], [8; 3]), "nothing was received");

    // The buffers are ours again, and the cancelled receives take no message.
    buffer[0] = 1;
    world.scope(|s| {
        s.irecv(&mut buffer, me, 1)?.defer();
        s.isend(&[2u32; 1000], me, 1)?.defer();
        Ok(())
    })?;
    assert_eq!(buffer, [2; 1000]);
    Ok(())
}

/// A receive whose message has arrived, or arrives while it is cancelled, is completed: one or the other, not both.
#[mpi::test(ranks = 2)]
fn an_early_error_with_a_message_on_its_way(world: Communicator) -> Result<()> {
    for _ in 0..50 {
        if world.rank() == 0 {
            world.send(&[9u64; 20], 1, 0)?;
        } else {
            let mut buffer = [0u64; 20];
            let result: Result<()> = world.scope(|s| {
                s.irecv(&mut buffer, 0, 0)?.defer();
                Err(world.send(&1u8, 5, 0).expect_err("no such rank"))
            });
            assert!(result.is_err());
            if buffer == [0; 20] {
                assert_eq!(
                    world.recv_vec::<u64>(0, 0)?.data,
                    [9; 20],
                    "cancelled, so the message is still there"
                );
            } else {
                assert_eq!(buffer, [9; 20]);
            }
        }
        world.barrier()?;
    }
    Ok(())
}

/// Sends cannot be cancelled: they are polled, and the peer that does receive ends the wait.
#[mpi::test(ranks = 2)]
fn an_early_error_waits_for_sends_that_are_received(world: Communicator) -> Result<()> {
    let large = vec![3u32; 200_000];
    if world.rank() == 0 {
        let result = world.scope(|s| {
            s.isend(&large, 1, 0)?.defer();
            world.recv::<u8>(None, 0).map(|_| ())
        });
        assert_eq!(result.expect_err("nobody sends no value").class(), ErrorClass::COUNT);
    } else {
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(world.recv_vec::<u32>(0, 0)?.data, large);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn an_error_of_ones_own(world: Communicator) {
    #[derive(Debug)]
    enum Trouble {
        Mpi(Error),
        Mine(u8),
    }
    impl From<Error> for Trouble {
        fn from(error: Error) -> Self {
            Trouble::Mpi(error)
        }
    }
    let mut x = 0u8;
    let mine = world.try_scope(|s| {
        s.irecv(&mut x, world.rank(), 0)?.defer();
        Err::<(), _>(Trouble::Mine(3))
    });
    assert!(matches!(mine, Err(Trouble::Mine(3))), "{mine:?}");
    let from_mpi =
        world.try_scope(|s| s.isend(&1u8, 77, 0).map(|request| request.defer()).map_err(Trouble::from));
    assert!(matches!(from_mpi, Err(Trouble::Mpi(error)) if error.class() == ErrorClass::RANK));
}

#[mpi::test(ranks = [1, 2])]
fn a_panic_with_nothing_in_flight_unwinds(world: Communicator) -> Result<()> {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        world.scope(|s| -> Result<()> {
            s.isend(&1u8, None, 0)?.wait()?;
            std::panic::resume_unwind(Box::new(5u8))
        })
    }));
    assert_eq!(caught.expect_err("it unwound").downcast_ref::<u8>(), Some(&5));
    world.barrier()
}

#[mpi::test(ranks = [1, 2])]
fn a_scope_gives_what_its_body_gives(world: Communicator) -> Result<()> {
    let mut x = 0u64;
    let (sum, text) = world.scope(|s| {
        let incoming = s.irecv(&mut x, world.rank(), 0)?;
        s.isend(&41u64, world.rank(), 0)?.defer();
        Ok((*incoming.wait()?.data + 1, String::from("text")))
    })?;
    assert_eq!((sum, text.as_str()), (42, "text"));
    Ok(())
}
