//! Who talks with whom: every pair of ranks, wildcards, nobody, oneself.

use crate::SIZES;
use crate::sample::{same, samples};
use mpi::{Communicator, Result, Source, Tag};

#[mpi::test(ranks = [1, 2, 3, 4])]
fn every_pair_of_ranks(world: Communicator) -> Result<()> {
    let me = world.rank();
    for from in 0..world.size() {
        for to in (0..world.size()).filter(|&to| to != from) {
            let values = samples::<u32>(from * 10 + to, 50);
            if me == from {
                world.send(&values, to, 1)?;
                world.ssend(&values[1..], to, 2)?;
            } else if me == to {
                assert_eq!(world.recv_vec::<u32>(from, 1)?.data, values);
                assert_eq!(world.recv_vec::<u32>(from, 2)?.data, values[1..]);
            }
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3, 4])]
fn sendrecv_around_the_ring(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    for distance in 0..size {
        let (next, previous) = ((me + distance) % size, (me + size - distance) % size);
        for len in [0, 1, 100_003] {
            let (mine, mut theirs) = (samples::<i64>(me, len), vec![0; len]);
            let status = world.sendrecv(&mine, next, 4, &mut theirs, previous, 4)?.status;
            same(&theirs, &samples::<i64>(previous, len));
            assert_eq!((status.source(), status.count::<i64>()), (Some(previous), Some(len)));
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn sendrecv_of_different_types_and_forms(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    // Even ranks send bytes and odd ranks floats; with one rank, bytes to itself.
    let (mut bytes, mut floats) = ([0u8; 3], vec![0f32; 2]);
    if size == 1 {
        world.sendrecv(&[7u8, 8, 9], next, 0, &mut bytes, previous, 0)?;
        assert_eq!(bytes, [7, 8, 9]);
    } else if me == 0 {
        world.sendrecv(&[7u8, 8, 9], next, 0, &mut floats, previous, 1)?;
        assert_eq!(floats, [0.5, 1.5]);
    } else {
        world.sendrecv(&vec![0.5f32, 1.5], next, 1, &mut bytes, previous, 0)?;
        assert_eq!(bytes, [7, 8, 9]);
    }
    Ok(())
}

#[mpi::test(ranks = [2, 4])]
fn any_source_takes_each_message_once(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    if me > 0 {
        return world.send(&samples::<u64>(me, me), 0, 6);
    }
    let mut seen = vec![false; size];
    seen[0] = true;
    for _ in 1..size {
        let got = world.recv_vec::<u64>(Source::ANY, 6)?;
        let from = got.status.source().expect("it came from somewhere");
        assert_eq!(got.data, samples::<u64>(from, from));
        assert!(!std::mem::replace(&mut seen[from], true), "rank {from} twice");
    }
    assert!(seen.into_iter().all(|from| from));
    Ok(())
}

#[mpi::test(ranks = 2)]
fn any_tag_takes_messages_in_the_order_they_were_sent(world: Communicator) -> Result<()> {
    let tags = [9, 2, Tag::upper_bound()?, 0, 9];
    for tag in tags {
        if world.rank() == 0 {
            world.send(&tag, 1, tag)?;
        } else {
            let got = world.recv::<i32>(0, Tag::ANY)?;
            assert_eq!((got.data, got.status.tag()), (tag, tag.into()));
        }
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_tag_chooses_among_messages(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        return (0..20).try_for_each(|tag| world.send(&tag, 1, tag));
    }
    for tag in (0..20).rev() {
        assert_eq!(world.recv::<i32>(0, tag)?.data, tag);
    }
    Ok(())
}

#[mpi::test(ranks = 2)]
fn probe_measures_and_leaves_the_message(world: Communicator) -> Result<()> {
    for len in [0, 1, 7, 100_003] {
        let values = samples::<i32>(0, len);
        if world.rank() == 0 {
            world.send(&values, 1, 11)?;
            continue;
        }
        for _ in 0..2 {
            let status = world.probe(Source::ANY, Tag::ANY)?;
            assert_eq!((status.source(), status.tag().get()), (Some(0), 11));
            assert_eq!(status.count::<i32>(), Some(len));
            // Half a value is no value.
            assert_eq!(status.count::<[i32; 2]>(), len.is_multiple_of(2).then_some(len / 2));
        }
        let mut buffer = vec![0; len];
        world.recv_into(&mut buffer, 0, 11)?;
        same(&buffer, &values);
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn nobody_gets_and_nobody_sends(world: Communicator) -> Result<()> {
    let mut buffer = [3u8; 4];
    world.send(&buffer, None, 0)?;
    world.ssend(&buffer, None, 0)?;
    let status = world.recv_into(&mut buffer, None, 0)?.status;
    assert_eq!((status.source(), status.count::<u8>()), (None, Some(0)));
    let status = world.sendrecv(&buffer, None, 0, &mut [0u8; 4], None, 0)?.status;
    assert_eq!((status.source(), status.count::<u8>()), (None, Some(0)));
    assert_eq!(world.probe(None, Tag::ANY)?.source(), None);
    let got = world.recv_vec::<u8>(None, 0)?;
    assert_eq!((got.data, got.status.source()), (vec![], None));
    let error = world.recv::<u8>(None, 0).expect_err("nobody brings no value");
    assert!(error.to_string().contains("the source was `None`"), "{error}");
    assert_eq!(buffer, [3; 4]);
    Ok(())
}

/// A blocking send to oneself would deadlock with MPICH, which buffers nothing here: one of the two is in flight.
#[mpi::test(ranks = 1)]
fn to_oneself(world: Communicator) -> Result<()> {
    for len in SIZES {
        let (values, mut back) = (samples::<u16>(5, len), vec![0; len]);
        world.scope(|s| {
            s.isend(&values, 0, 0)?.defer();
            same(&world.recv_vec::<u16>(0, 0)?.data, &values);
            s.irecv(&mut back, 0, 1)?.defer();
            world.send(&values, 0, 1)
        })?;
        same(&back, &values);
        back.fill(0);
        world.sendrecv(&values, 0, 0, &mut back, 0, 0)?;
        same(&back, &values);
    }
    Ok(())
}
