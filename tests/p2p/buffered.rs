//! The buffer of buffered sends: what fits, what does not, and who owns it.

use crate::SIZES;
use crate::sample::{same, samples};
use mpi::environment::bound_library;
use mpi::{Communicator, ErrorClass, Result, buffered};

#[mpi::test(ranks = 2)]
fn as_many_messages_as_there_is_room_for(world: Communicator) -> Result<()> {
    for len in SIZES {
        buffered::attach(5 * buffered::room_for::<u16>(len))?;
        let values = samples::<u16>(world.rank(), len);
        for tag in 0..5 {
            world.bsend(&values, 1 - world.rank(), tag)?;
        }
        world.barrier()?; // nobody has received anything yet
        for tag in (0..5).rev() {
            let got = world.recv_vec::<u16>(1 - world.rank(), tag)?;
            same(&got.data, &samples::<u16>(1 - world.rank(), len));
        }
        assert_eq!(buffered::detach()?, 5 * buffered::room_for::<u16>(len));
    }
    Ok(())
}

/// Uneven sizes, each with its own rounding.
#[mpi::test(ranks = 1)]
fn room_for_messages_of_many_sizes(world: Communicator) -> Result<()> {
    let room = (0..200).map(buffered::room_for::<u8>).sum();
    buffered::attach(room)?;
    for (len, tag) in (0..200).zip(0..) {
        world.bsend(&vec![len as u8; len], 0, tag)?;
    }
    for (len, tag) in (0..200).zip(0..) {
        assert_eq!(world.recv_vec::<u8>(0, tag)?.data, vec![len as u8; len]);
    }
    assert_eq!(buffered::detach()?, room);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_message_that_does_not_fit_is_an_error_and_the_buffer_stays_usable(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), 1 - world.rank());
    let big = samples::<f64>(me, 100_003);
    buffered::attach(buffered::room_for::<f64>(1000))?;
    for round in 0..3 {
        let error = world.bsend(&big, peer, 9).expect_err("800,024 bytes do not fit");
        assert_eq!((error.class(), error.call()), (ErrorClass::BUFFER, "MPI_Bsend"), "{error}");
        let error = world.scope(|s| s.ibsend(&big, peer, 9).map(|request| request.defer()));
        assert_eq!(error.expect_err("nor in flight").class(), ErrorClass::BUFFER);
        world.bsend(&big[..1000], peer, round)?;
        same(&world.recv_vec::<f64>(peer, round)?.data, &samples::<f64>(peer, 1000));
        buffered::flush()?; // all of it is free again
    }
    buffered::detach()?;
    assert!(world.iprobe(mpi::Source::ANY, mpi::Tag::ANY)?.is_none(), "what was refused is not sent");
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn without_a_buffer(world: Communicator) -> Result<()> {
    let error = world.bsend(&1u8, 0, 0).expect_err("no buffer");
    assert_eq!(error.class(), ErrorClass::BUFFER, "{error}");
    for (error, call) in [
        (buffered::detach().expect_err("none"), "MPI_Buffer_detach"),
        (buffered::flush().expect_err("none"), "MPI_Buffer_flush"),
    ] {
        assert_eq!((error.class(), error.call(), error.code()), (ErrorClass::BUFFER, call, None));
        assert_eq!(
            error.to_string(),
            format!("{call}: no buffer is attached: call `mpi::buffered::attach` first")
        );
    }
    Ok(())
}

#[mpi::test(ranks = 1)]
fn one_buffer_at_a_time(world: Communicator) -> Result<()> {
    for bytes in [0, 1, buffered::OVERHEAD - 1] {
        let error = buffered::attach(bytes).expect_err("no message fits");
        assert_eq!((error.class(), error.code()), (ErrorClass::BUFFER, None), "{error}");
    }
    for bytes in [buffered::OVERHEAD, 1000, 1 << 24] {
        buffered::attach(bytes)?;
        let error = buffered::attach(5000).expect_err("a second buffer");
        assert_eq!((error.class(), error.code()), (ErrorClass::BUFFER, None));
        assert_eq!(error.to_string(), "MPI_Buffer_attach: a buffer is attached already: detach it first");
        assert_eq!(buffered::detach()?, bytes);
    }
    assert_eq!(buffered::attach(usize::MAX).expect_err("too large").class(), ErrorClass::COUNT);
    world.barrier()
}

/// Detaching waits until what was sent is received.
#[mpi::test(ranks = 2)]
fn detach_delivers(world: Communicator) -> Result<()> {
    let values = samples::<i32>(0, 100_003);
    if world.rank() == 0 {
        buffered::attach(buffered::room_for::<i32>(values.len()))?;
        world.bsend(&values, 1, 0)?;
        buffered::detach()?;
        return world.send(&1u8, 1, 1);
    }
    same(&world.recv_vec::<i32>(0, 0)?.data, &values);
    world.recv::<u8>(0, 1).map(|_| ())
}

/// Flushing in a loop: the room for one message is enough for any number, one after the other.
#[mpi::test(ranks = 2)]
fn flush_makes_room(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return (0..50).try_for_each(|i| {
            same(&world.recv_vec::<u64>(0, 0)?.data, &samples::<u64>(i, 300));
            Ok(())
        });
    }
    buffered::attach(buffered::room_for::<u64>(300))?;
    for i in 0..50 {
        world.bsend(&samples::<u64>(i, 300), 1, 0)?;
        buffered::flush()?;
    }
    buffered::detach().map(|_| ())
}

#[mpi::test(ranks = 2)]
fn an_automatic_buffer_where_the_library_has_one(world: Communicator) -> Result<()> {
    if let Err(error) = buffered::attach_automatic() {
        assert_eq!(error.class(), ErrorClass::UNSUPPORTED_OPERATION);
        assert!(error.to_string().contains("needs MPI 4.1"), "{error}");
        return Ok(());
    }
    let library = bound_library();
    assert!(buffered::attach(1000).is_err(), "{library:?}: a second buffer");
    let values = samples::<f32>(world.rank(), 100_003);
    for tag in 0..5 {
        world.bsend(&values, 1 - world.rank(), tag)?;
    }
    world.barrier()?;
    for tag in 0..5 {
        let got = world.recv_vec::<f32>(1 - world.rank(), tag)?;
        same(&got.data, &samples::<f32>(1 - world.rank(), 100_003));
    }
    buffered::flush()?;
    assert_eq!(buffered::detach()?, 0);
    Ok(())
}
