//! What a peer or the caller did wrongly is an `Err`, and the communicator works afterwards.

use crate::refusals;
use mpi::buffer::Strided;
use mpi::{Communicator, Error, ErrorClass, Result};
use std::num::NonZero;

/// Whatever went wrong before, a message between rank 0 and 1 gets through: nothing was left behind.
fn still_works(world: &Communicator) -> Result<()> {
    if world.rank() == 0 {
        return world.ssend(&4242u32, 1, 0);
    }
    assert_eq!(world.recv::<u32>(mpi::Source::ANY, mpi::Tag::ANY)?.data, 4242);
    Ok(())
}

/// The error of a `Received`, whose data need not be printable.
fn error<T>(result: Result<T>) -> Error {
    result.err().expect("an error")
}

#[mpi::test(ranks = [1, 2])]
fn arguments_out_of_range(world: Communicator) -> Result<()> {
    refusals::all(&world)
}

#[mpi::test(ranks = 2)]
fn a_short_message_is_no_value_and_is_consumed(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[0f64; 0], 1, 0)?;
        world.send(&[1u8; 15], 1, 0)?;
        world.send(&[1i16; 2], 1, 0)?;
    } else {
        let short = error(world.recv::<f64>(0, 0));
        assert_eq!(
            short.to_string(),
            "MPI_Recv: the message brought 0 elements, but the value needs 1: the sender sent less, or the source was `None`"
        );
        assert_eq!((short.class(), short.code()), (ErrorClass::COUNT, None));
        assert_eq!(error(world.recv::<i128>(0, 0)).class(), ErrorClass::COUNT);
        assert_eq!(error(world.recv::<[i16; 3]>(0, 0)).class(), ErrorClass::COUNT);
    }
    still_works(&world)
}

/// Where a value is received into, rather than returned: what did not come leaves it as it was.
#[mpi::test(ranks = 2)]
fn an_empty_message_leaves_a_value_as_it_was(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        (0..5).try_for_each(|_| world.send(&[0f64; 0], 1, 0))?;
        return still_works(&world);
    }
    let mut value = 5.5f64;
    let counts = [
        world.recv_into(&mut value, 0, 0)?.status.count::<f64>(),
        world.sendrecv(&1u8, None, 0, &mut value, 0, 0)?.status.count::<f64>(),
        world.sendrecv_replace(&mut value, None, 0, 0, 0)?.status.count::<f64>(),
        world.scope(|s| Ok(s.irecv(&mut value, 0, 0)?.wait()?.status.count::<f64>()))?,
    ];
    assert_eq!((counts, value), ([Some(0); 4], 5.5));
    let boxed = world.irecv(Box::new(6.5f64), 0, 0)?.wait()?;
    assert_eq!((*boxed.data, boxed.status.count::<f64>()), (6.5, Some(0)));
    still_works(&world)
}

#[mpi::test(ranks = 2)]
fn a_long_message_is_truncated_and_is_consumed(world: Communicator) -> Result<()> {
    let long = [7u32, 8, 9];
    if world.rank() == 0 {
        (0..4).try_for_each(|_| world.send(&long, 1, 0))?;
    } else {
        let mut buffer = [1u32, 2];
        let truncated = error(world.recv_into(&mut buffer, 0, 0));
        assert_eq!((truncated.class(), truncated.call()), (ErrorClass::TRUNCATE, "MPI_Recv"));
        assert!(truncated.to_string().contains("message truncated"), "{truncated}");
        buffer = [5, 6]; // the buffer is ours again
        let truncated = error(world.sendrecv(&1u8, None, 0, &mut buffer, 0, 0));
        assert_eq!((truncated.class(), truncated.call()), (ErrorClass::TRUNCATE, "MPI_Sendrecv"));
        assert_eq!(error(world.recv::<u32>(0, 0)).class(), ErrorClass::TRUNCATE);
        let mut room = [3u32; 4];
        assert_eq!(world.recv_into(&mut room, 0, 0)?.status.count::<u32>(), Some(3));
        assert_eq!(room, [7, 8, 9, 3]);
    }
    still_works(&world)
}

#[mpi::test(ranks = 2)]
fn bits_that_are_no_value(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        for byte in [2u8, 0xFF] {
            world.send(&byte, 1, 0)?;
            world.send(&[0, 1, byte, 1], 1, 0)?;
        }
        for word in [0xD800u32, 0x11_0000, u32::MAX] {
            world.send(&word, 1, 0)?;
            world.send(&[0x41, word], 1, 0)?;
        }
        world.send(&0i64, 1, 0)?;
        world.send(&[1i64, 2, 0], 1, 0)?;
        return still_works(&world);
    }
    let invalid = |error: Error, call: &str, index: usize| {
        let text = format!(
            "{call}: element {index} of the message is not a valid value of the type it was received as"
        );
        assert_eq!((error.to_string(), error.class()), (text, ErrorClass::TYPE));
    };
    for _ in 0..2 {
        invalid(error(world.recv::<bool>(0, 0)), "MPI_Recv", 0);
        invalid(error(world.recv_vec::<bool>(0, 0)), "MPI_Mrecv", 2);
    }
    for _ in 0..3 {
        invalid(error(world.recv::<char>(0, 0)), "MPI_Recv", 0);
        invalid(error(world.recv_vec::<char>(0, 0)), "MPI_Mrecv", 1);
    }
    invalid(error(world.recv::<NonZero<i64>>(0, 0)), "MPI_Recv", 0);
    invalid(error(world.recv_vec::<NonZero<i64>>(0, 0)), "MPI_Mrecv", 2);
    still_works(&world)
}

#[mpi::test(ranks = 2)]
fn a_message_that_is_not_whole_values(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[1u8; 17], 1, 0)?;
        world.send(&[1.0f64; 4], 1, 0)?;
        world.send(&[1u8; 3], 1, 0)?;
        return still_works(&world);
    }
    let broken = |error: Error, text: &str| {
        assert_eq!((error.to_string(), error.class()), (format!("MPI_Mrecv: {text}"), ErrorClass::COUNT));
    };
    broken(
        error(world.recv_vec::<u128>(0, 0)),
        "the message of 17 bytes is no whole number of values of 16 bytes each",
    );
    broken(
        error(world.recv_vec::<[f64; 3]>(0, 0)),
        "the message of 32 bytes is no whole number of values of 24 bytes each",
    );
    broken(
        error(world.recv_vec::<u16>(0, 0)),
        "the message of 3 bytes is no whole number of values of 2 bytes each",
    );
    still_works(&world)
}

#[mpi::test(ranks = 1)]
fn views_that_reach_past_the_slice(_world: Communicator) {
    let data = [0u8; 12];
    for (offset, rows, cols, stride) in [
        (0, 4, 1, 4),
        (1, 3, 4, 4),
        (13, 0, 0, 1),
        (0, usize::MAX, 2, 2),
        (0, 2, 1, usize::MAX),
        (0, 3, 4, 3),
    ] {
        let refused = error(Strided::new(&data, offset, rows, cols, stride));
        assert_eq!(refused.class(), ErrorClass::BUFFER, "{offset} {rows} {cols} {stride}: {refused}");
    }
}
