//! Probes that wait and that ask, and the messages they match.

use crate::SIZES;
use crate::sample::{Sample, same, samples};
use mpi::buffer::StridedMut;
use mpi::{AnyBits, Communicator, ErrorClass, Message, Result, Source, Tag};
use std::mem::MaybeUninit;

/// Asks until there is a message.
fn improbe_until(world: &Communicator, source: Source, tag: i32) -> Result<Message<'_>> {
    loop {
        if let Some(message) = world.improbe(source, tag)? {
            return Ok(message);
        }
    }
}

fn every_form<T: Sample + AnyBits>(world: &Communicator) -> Result<()> {
    for len in SIZES {
        let values = samples::<T>(0, len);
        if world.rank() == 0 {
            // In flight: rank 1 matches two of them in the other order.
            world.scope(|s| {
                (0..6).try_for_each(|tag| s.isend(&values, 1, tag).map(|request| request.defer()))
            })?;
            continue;
        }
        let got = world.mprobe(0, 0)?.recv_vec::<T>()?;
        same(&got.data, &values);
        assert_eq!((got.status.source(), got.status.tag().get()), (Some(0), 0));

        let mut buffer = samples::<T>(9, len + 2);
        let message = improbe_until(world, Source::ANY, 1)?;
        assert_eq!(message.status().count::<T>(), Some(len));
        assert_eq!(message.recv_into(&mut buffer)?.status.count::<T>(), Some(len));
        same(&buffer[..len], &values);
        same(&buffer[len..], &samples::<T>(9, len + 2)[len..]);

        let mut uninit = vec![const { MaybeUninit::<T>::uninit() }; len + 2];
        let (arrived, rest) = world.mprobe(0, 2)?.recv_into(&mut uninit[..])?.data;
        same(arrived, &values);
        assert_eq!(rest.len(), 2);

        let mut buffer = samples::<T>(9, len);
        let mut uninit = vec![const { MaybeUninit::<T>::uninit() }; len + 2];
        let (one, other) = (world.mprobe(0, 4)?, world.mprobe(0, 3)?);
        world.scope(|s| {
            let (one, other) = (s.imrecv(one, &mut buffer)?, s.imrecv(other, &mut uninit[..])?);
            let got = other.wait()?;
            assert_eq!((got.status.tag().get(), got.status.count::<T>()), (3, Some(len)));
            same(got.data.0, &values);
            same(one.wait()?.data, &values);
            Ok(())
        })?;
        let mut matrix = samples::<T>(9, 2 * len);
        let message = world.mprobe(0, 5)?;
        message.recv_into(&mut StridedMut::new(&mut matrix, 0, len, 1, 2)?)?;
        assert!(matrix.iter().step_by(2).eq(&values), "the even places");
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn every_form_of_bytes(world: Communicator) -> Result<()> {
    every_form::<u8>(&world)
}

#[mpi::test(ranks = 2)]
fn every_form_of_doubles(world: Communicator) -> Result<()> {
    every_form::<f64>(&world)
}

#[mpi::test(ranks = 2)]
fn every_form_of_arrays(world: Communicator) -> Result<()> {
    every_form::<[u32; 5]>(&world)
}

#[mpi::test(ranks = 2)]
fn checked_types(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        world.send(&[true, false, true], 1, 0)?;
        world.send(&'x', 1, 1)?;
        world.send(&[0u8, 1, 2], 1, 2)?;
        return world.send(&0xD800u32, 1, 3);
    }
    let message = world.mprobe(0, Tag::ANY)?;
    assert_eq!(message.status().count::<bool>(), Some(3));
    assert_eq!(message.recv_vec::<bool>()?.data, [true, false, true]);
    assert_eq!(world.mprobe(0, Tag::ANY)?.recv::<char>()?.data, 'x');
    let error = world.mprobe(0, Tag::ANY)?.recv_vec::<bool>().expect_err("2 is no bool");
    assert_eq!((error.class(), error.call()), (ErrorClass::TYPE, "MPI_Mrecv"));
    let error = world.mprobe(0, Tag::ANY)?.recv::<char>().expect_err("a surrogate is no char");
    assert_eq!(error.class(), ErrorClass::TYPE);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn iprobe_asks_and_leaves_the_message(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        assert!(world.iprobe(Source::ANY, Tag::ANY)?.is_none());
        assert!(world.improbe(Source::ANY, Tag::ANY)?.is_none());
        world.barrier()?; // only now the other sends
        world.recv::<u8>(1, 0)?;
        world.send(&samples::<i16>(0, 77), 1, 5)?;
        return world.send(&1u8, 1, 6);
    }
    assert!(world.iprobe(0, 5)?.is_none());
    world.barrier()?;
    world.send(&0u8, 0, 0)?;
    let status = loop {
        if let Some(status) = world.iprobe(Source::ANY, 5)? {
            break status;
        }
    };
    assert_eq!((status.source(), status.tag().get(), status.count::<i16>()), (Some(0), 5, Some(77)));
    assert!(world.iprobe(0, 5)?.is_some(), "it is still there");
    same(&world.recv_vec::<i16>(0, 5)?.data, &samples::<i16>(0, 77));
    assert!(world.iprobe(0, 5)?.is_none(), "and now it is not");
    assert_eq!(world.recv::<u8>(0, Tag::ANY)?.data, 1);
    Ok(())
}

/// What was matched is out of the way of every other receive, and is received when its holder likes.
#[mpi::test(ranks = 2)]
fn messages_are_received_in_any_order(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        return (0..20usize).try_for_each(|i| world.send(&samples::<u64>(i, 10 * i), 1, 1));
    }
    let mut messages = (0..20).map(|_| world.mprobe(0, 1).map(Some)).collect::<Result<Vec<_>>>()?;
    for i in (0..20).map(|i| i * 7 % 20) {
        let message = messages[i].take().expect("each once");
        assert_eq!(message.status().count::<u64>(), Some(10 * i));
        same(&message.recv_vec::<u64>()?.data, &samples::<u64>(i, 10 * i));
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_matched_message_is_not_received_by_others(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        world.send(&1u8, 1, 1)?;
        return world.send(&2u8, 1, 1);
    }
    let first = world.mprobe(0, 1)?;
    assert_eq!(world.recv::<u8>(Source::ANY, Tag::ANY)?.data, 2);
    assert!(world.iprobe(Source::ANY, Tag::ANY)?.is_none());
    assert_eq!(first.recv::<u8>()?.data, 1);
    Ok(())
}

/// A server that takes whatever comes from whomever, by tag.
#[mpi::test(ranks = [1, 3, 4])]
fn wildcards(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (numbers, text) = (samples::<f64>(me, me + 1), vec!['a'; me]);
    world.scope(|s| {
        s.isend(&numbers, 0, 1)?.defer();
        s.isend(&text, 0, 2)?.defer();
        if me > 0 {
            return Ok(());
        }
        let mut seen = vec![[false; 2]; size];
        for round in 0..2 * size {
            let message = if round % 2 == 0 {
                world.mprobe(Source::ANY, Tag::ANY)?
            } else {
                loop {
                    if let Some(message) = world.improbe(Source::ANY, Tag::ANY)? {
                        break message;
                    }
                }
            };
            let (from, tag) = (message.status().source().expect("a rank"), message.status().tag().get());
            if tag == 1 {
                same(&message.recv_vec::<f64>()?.data, &samples::<f64>(from, from + 1));
            } else {
                assert_eq!(message.recv_vec::<char>()?.data, vec!['a'; from]);
            }
            assert!(!std::mem::replace(&mut seen[from][tag as usize - 1], true), "{from} {tag} twice");
        }
        Ok(())
    })
}

#[mpi::test(ranks = 2)]
fn a_message_of_the_wrong_length(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        (0..4).try_for_each(|_| world.send(&[1u8, 2, 3], 1, 0))?;
        return world.ssend(&9u8, 1, 0);
    }
    let mut short = [0u8; 2];
    let error = world.mprobe(0, 0)?.recv_into(&mut short).expect_err("3 bytes do not fit");
    assert_eq!((error.class(), error.call()), (ErrorClass::TRUNCATE, "MPI_Mrecv"));
    let message = world.mprobe(0, 0)?;
    let error = world.scope(|s| s.imrecv(message, &mut short)?.wait().map(|_| ()));
    assert_eq!(error.expect_err("3 bytes do not fit").class(), ErrorClass::TRUNCATE);
    short.fill(0); // ours again
    let error = world.mprobe(0, 0)?.recv::<u32>().expect_err("3 bytes are no u32");
    assert_eq!(error.class(), ErrorClass::COUNT);
    let error = world.mprobe(0, 0)?.recv_vec::<u16>().expect_err("3 bytes are no u16s");
    assert_eq!(
        error.to_string(),
        "MPI_Mrecv: the message of 3 bytes is no whole number of values of 2 bytes each"
    );
    assert_eq!(world.recv::<u8>(Source::ANY, Tag::ANY)?.data, 9);
    Ok(())
}

/// A message that is dropped is received all the same: its sender goes on.
#[mpi::test(ranks = 2)]
fn a_dropped_message_is_received(world: Communicator) -> Result<()> {
    for len in SIZES {
        if world.rank() == 0 {
            world.ssend(&samples::<u32>(0, len), 1, 0)?;
            world.ssend(&samples::<u32>(1, len), 1, 0)?;
            continue;
        }
        drop(world.mprobe(0, 0)?);
        same(&world.recv_vec::<u32>(0, 0)?.data, &samples::<u32>(1, len));
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn from_nowhere(world: Communicator) -> Result<()> {
    assert!(world.iprobe(None, 0)?.is_some_and(|status| status.source().is_none()));
    let message = world.mprobe(None, 0)?;
    assert_eq!((message.status().source(), message.status().count::<u8>()), (None, Some(0)));
    assert_eq!(message.recv_vec::<u8>()?.data, []);
    drop(world.mprobe(None, Tag::ANY)?);
    let message = world.improbe(None, Tag::ANY)?.expect("nobody has always sent");
    let mut buffer = [3u8; 2];
    assert_eq!(message.recv_into(&mut buffer)?.status.source(), None);
    let message = world.mprobe(None, 0)?;
    world.scope(|s| {
        let got = s.imrecv(message, &mut buffer)?.wait()?;
        assert_eq!((&*got.data, got.status.source(), got.status.count::<u8>()), (&[3, 3], None, Some(0)));
        Ok(())
    })?;
    let error = world.mprobe(None, 0)?.recv::<u8>().expect_err("nobody brings no value");
    assert_eq!(error.class(), ErrorClass::COUNT);
    Ok(())
}
