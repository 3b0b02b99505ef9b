//! Buffers of single communicators, and flushing without waiting.

use crate::sample::{same, samples};
use mpi::request::{PendingSet, Test};
use mpi::{Communicator, ErrorClass, Result, buffered};

/// Whether the library has it; else it must say so.
fn has<T: std::fmt::Debug>(result: Result<T>) -> Option<T> {
    result
        .inspect_err(|error| {
            assert_eq!(error.class(), ErrorClass::UNSUPPORTED_OPERATION, "{error}");
            assert!(error.to_string().contains("needs MPI 4.1"), "{error}");
        })
        .ok()
}

#[mpi::test(ranks = 2)]
fn each_communicator_uses_its_own(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), 1 - world.rank());
    let (one, two) = (world.dup()?, world.dup()?);
    let values = samples::<u64>(me, 1000);
    one.attach_buffer(3 * buffered::room_for::<u64>(1000))?;
    buffered::attach(buffered::room_for::<u64>(10))?;
    for tag in 0..3 {
        one.bsend(&values, peer, tag)?;
    }
    for other in [&two, &world] {
        let error = other.bsend(&values, peer, 9).expect_err("no room in the process's buffer");
        assert_eq!(error.class(), ErrorClass::BUFFER, "{error}");
        other.bsend(&values[..10], peer, 9)?;
        same(&other.recv_vec::<u64>(peer, 9)?.data, &samples::<u64>(peer, 1000)[..10]);
        buffered::flush()?;
    }
    for tag in (0..3).rev() {
        same(&one.recv_vec::<u64>(peer, tag)?.data, &samples::<u64>(peer, 1000));
    }
    one.flush_buffer()?;
    for round in 0..3 {
        one.scope(|s| s.ibsend(&values, peer, round)?.wait().map(drop))?;
    }
    for round in 0..3 {
        same(&one.recv_vec::<u64>(peer, round)?.data, &samples::<u64>(peer, 1000));
    }
    assert_eq!(one.detach_buffer()?, 3 * buffered::room_for::<u64>(1000));
    assert!(one.bsend(&values, peer, 0).is_err(), "the process's again");
    buffered::detach()?;
    one.free()?;
    Ok(())
}

#[mpi::test(ranks = 1)]
fn mistakes(world: Communicator) -> Result<()> {
    let dup = world.dup()?;
    for (error, call) in [
        (dup.detach_buffer().expect_err("none"), "MPI_Comm_detach_buffer"),
        (dup.flush_buffer().expect_err("none"), "MPI_Comm_flush_buffer"),
        (dup.bsend(&1u8, 0, 0).expect_err("none"), "MPI_Bsend"),
    ] {
        assert_eq!((error.class(), error.call()), (ErrorClass::BUFFER, call), "{error}");
    }
    let refused = dup.iflush_buffer().expect_err("none").class();
    assert!([ErrorClass::BUFFER, ErrorClass::UNSUPPORTED_OPERATION].contains(&refused));
    for bytes in [0, buffered::OVERHEAD - 1] {
        let error = dup.attach_buffer(bytes).expect_err("no message fits");
        assert_eq!((error.class(), error.call()), (ErrorClass::BUFFER, "MPI_Comm_attach_buffer"));
    }
    assert_eq!(dup.attach_buffer(usize::MAX).expect_err("too large").class(), ErrorClass::COUNT);
    dup.attach_buffer(buffered::OVERHEAD)?;
    assert_eq!(dup.attach_buffer(1000).expect_err("a second").class(), ErrorClass::BUFFER);
    assert_eq!(dup.attach_automatic_buffer().expect_err("a second").class(), ErrorClass::BUFFER);
    assert_eq!(dup.detach_buffer()?, buffered::OVERHEAD);
    Ok(())
}

/// The communicator's last user detaches, which waits until what was sent is received.
#[mpi::test(ranks = 2)]
fn a_communicator_that_goes_delivers(world: Communicator) -> Result<()> {
    let values = samples::<i32>(0, 100_003);
    for way in 0..3 {
        let dup = world.dup()?;
        if world.rank() == 0 {
            dup.attach_buffer(buffered::room_for::<i32>(values.len()))?;
            dup.bsend(&values, 1, 0)?;
            match way {
                0 => drop(dup),
                1 => dup.free()?,
                _ => {
                    let user = dup.irecv(vec![0u8; 1], 1, 1)?;
                    drop(dup);
                    drop(user);
                }
            }
        } else {
            same(&dup.recv_vec::<i32>(0, 0)?.data, &values);
            if way == 2 {
                dup.send(&1u8, 0, 1)?;
            }
        }
    }
    // The world's own.
    world.attach_buffer(buffered::room_for::<i32>(values.len()))?;
    world.bsend(&values, 1 - world.rank(), 5)?;
    same(&world.recv_vec::<i32>(1 - world.rank(), 5)?.data, &values);
    world.detach_buffer()?;
    world.barrier()?;
    // Detached when its last handle goes, and MPI with it.
    world.attach_buffer(1000)
}

#[mpi::test(ranks = 2)]
fn automatic_where_the_library_has_it(world: Communicator) -> Result<()> {
    let (dup, peer) = (world.dup()?, 1 - world.rank());
    let Some(()) = has(dup.attach_automatic_buffer()) else { return Ok(()) };
    let values = samples::<f32>(world.rank(), 100_003);
    for tag in 0..5 {
        dup.bsend(&values, peer, tag)?;
    }
    world.barrier()?;
    for tag in 0..5 {
        same(&dup.recv_vec::<f32>(peer, tag)?.data, &samples::<f32>(peer, 100_003));
    }
    dup.flush_buffer()?;
    assert_eq!(dup.detach_buffer()?, 0);
    world.barrier()
}

/// While a flush is in flight the buffer stays attached, though it takes more messages.
#[mpi::test(ranks = 2)]
fn flushed_without_waiting(world: Communicator) -> Result<()> {
    let (dup, peer) = (world.dup()?, 1 - world.rank());
    let big = samples::<u64>(world.rank(), 100_003);
    dup.attach_buffer(2 * buffered::room_for::<u64>(big.len()))?;
    dup.bsend(&big, peer, 0)?;
    let Some(mut flushed) = has(dup.iflush_buffer()) else {
        same(&dup.recv_vec::<u64>(peer, 0)?.data, &samples::<u64>(peer, 100_003));
        return Ok(());
    };
    for _ in 0..10 {
        let Test::Pending(again) = flushed.test()? else { panic!("nobody has received it") };
        flushed = again;
    }
    let error = dup.detach_buffer().expect_err("it is being flushed");
    assert_eq!((error.class(), error.call()), (ErrorClass::BUFFER, "MPI_Comm_detach_buffer"));
    assert!(error.to_string().contains("is being flushed"), "{error}");
    dup.bsend(&big, peer, 1)?;
    // Among messages, boxed.
    let mut set = PendingSet::new();
    set.push(flushed.map(|()| None).boxed());
    set.push(dup.irecv(vec![0u64; big.len()], peer, 0)?.map(|got| Some(got.data)).boxed());
    set.push(dup.iflush_buffer()?.map(|()| None).boxed());
    world.barrier()?;
    while let Some((index, got)) = set.wait_any()? {
        assert_eq!(got.is_some(), index == 1);
        if let Some(data) = got {
            same(&data, &samples::<u64>(peer, 100_003));
            // The second message is received meanwhile: the second flush waits for it.
            set.push(dup.irecv(vec![0u64; big.len()], peer, 1)?.map(|_| None).boxed());
        }
    }
    assert_eq!(dup.detach_buffer()?, 2 * buffered::room_for::<u64>(big.len()));

    // Dropped, together with the communicator, while it is in flight.
    let short = dup.dup()?;
    short.attach_buffer(buffered::room_for::<u64>(big.len()))?;
    short.bsend(&big, peer, 0)?;
    let flushed = short.iflush_buffer()?;
    let incoming = short.irecv(vec![0u64; big.len()], peer, 0)?;
    drop(short);
    incoming.wait()?;
    drop(flushed);
    world.barrier() // whoever is ahead stays in MPI, which the other's flush may need
}

#[mpi::test(ranks = 2)]
fn the_process_buffer_is_flushed_without_waiting(world: Communicator) -> Result<()> {
    let (peer, values) = (1 - world.rank(), samples::<u64>(world.rank(), 100_003));
    buffered::attach(buffered::room_for::<u64>(values.len()))?;
    world.bsend(&values, peer, 0)?;
    let flushed = has(buffered::iflush());
    if flushed.is_some() {
        assert!(buffered::detach().expect_err("it is being flushed").to_string().contains("flushed"));
    }
    same(&world.recv_vec::<u64>(peer, 0)?.data, &samples::<u64>(peer, 100_003));
    if let Some(flushed) = flushed {
        flushed.wait()?;
        buffered::iflush()?.wait()?; // nothing is left in it
    }
    buffered::detach()?;
    world.barrier()
}

#[mpi::test(ranks = 1)]
fn a_flush_of_nothing(world: Communicator) -> Result<()> {
    let refused = buffered::iflush().expect_err("no buffer is attached").class();
    assert!([ErrorClass::BUFFER, ErrorClass::UNSUPPORTED_OPERATION].contains(&refused));
    world.barrier()
}
