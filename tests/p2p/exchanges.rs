//! A send and a receive in one call: blocking in place, and in flight.

use crate::SIZES;
use crate::sample::{Sample, same, samples};
use mpi::buffer::StridedMut;
use mpi::request::Test;
use mpi::{AnyBits, Communicator, ErrorClass, Result, Source, Tag};
use std::mem;

fn ring(world: &Communicator, distance: usize) -> (usize, usize) {
    let (me, size) = (world.rank(), world.size());
    ((me + distance) % size, (me + size - distance % size) % size)
}

fn every_form<T: Sample + AnyBits>(world: &Communicator) -> Result<()> {
    let me = world.rank();
    for distance in 0..world.size() {
        let (next, previous) = ring(world, distance);
        for len in SIZES {
            let theirs = samples::<T>(previous, len);
            let mut block = samples::<T>(me, len);
            let status = world.sendrecv_replace(&mut block, next, 1, previous, 1)?.status;
            same(&block, &theirs);
            assert_eq!((status.source(), status.count::<T>()), (Some(previous), Some(len)));

            let (mine, mut into) = (samples::<T>(me, len), samples::<T>(9, len));
            world.scope(|s| {
                let (back, got) = s.isendrecv(&mine, next, 2, &mut into, previous, 2)?.wait()?;
                same(back, &mine);
                same(got.data, &theirs);
                assert_eq!((got.status.source(), got.status.tag().get()), (Some(previous), 2));
                assert_eq!(got.status.count::<T>(), Some(len));
                Ok(())
            })?;

            let mut block = samples::<T>(me, len);
            world.scope(|s| {
                let got = s.isendrecv_replace(&mut block, next, 3, Source::ANY, 3)?.wait()?;
                same(got.data, &theirs);
                assert_eq!((got.status.source(), got.status.count::<T>()), (Some(previous), Some(len)));
                Ok(())
            })?;
            same(&block, &theirs);
            world.barrier()?; // or a rank ahead could take the next round's message from any source
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn bytes(world: Communicator) -> Result<()> {
    every_form::<u8>(&world)
}

#[mpi::test(ranks = [1, 2, 4])]
fn doubles(world: Communicator) -> Result<()> {
    every_form::<f64>(&world)
}

#[mpi::test(ranks = 2)]
fn wide_and_arrays(world: Communicator) -> Result<()> {
    every_form::<u128>(&world)?;
    every_form::<[i16; 3]>(&world)
}

/// Both directions of a halo exchange at once, completed in the other order, by testing, dropped, forgotten.
#[mpi::test(ranks = [1, 2, 3, 4])]
#[expect(clippy::forget_non_drop, reason = "a request must not rely on a destructor, today or ever")]
fn many_at_once(world: Communicator) -> Result<()> {
    let me = world.rank();
    let (right, left) = ring(&world, 1);
    let mine = samples::<u32>(me, 1000);
    let mut parts = vec![vec![0u32; 1000]; 6];
    let mut own = samples::<u32>(me, 1000);
    world.scope(|s| {
        let mut parts = parts.iter_mut();
        let mut part = || parts.next().expect("six parts");
        let first = s.isendrecv(&mine, right, 1, part(), left, 1)?;
        let second = s.isendrecv(&mine, left, 2, part(), right, 2)?;
        let mut third = s.isendrecv(&mine[..10], right, 3, part(), left, Tag::ANY)?;
        s.isendrecv(&mine, left, 4, part(), right, 4)?.defer();
        drop(s.isendrecv(&mine, right, 5, part(), left, 5)?);
        mem::forget(s.isendrecv(&mine, left, 6, part(), right, 6)?);
        mem::forget(s.isendrecv_replace(&mut own, right, 7, left, 7)?);
        same(second.wait()?.1.data, &samples::<u32>(right, 1000));
        let got = loop {
            match third.test()? {
                Test::Done((_, got)) => break got,
                Test::Pending(request) => third = request,
            }
        };
        assert_eq!(got.status.count::<u32>(), Some(10));
        same(&got.data[..10], &samples::<u32>(left, 1000)[..10]);
        same(first.wait()?.1.data, &samples::<u32>(left, 1000));
        Ok(())
    })?;
    same(&parts[3], &samples::<u32>(right, 1000));
    same(&parts[4], &samples::<u32>(left, 1000));
    same(&parts[5], &samples::<u32>(right, 1000));
    same(&own, &samples::<u32>(left, 1000));
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn views_arrays_and_values(world: Communicator) -> Result<()> {
    let (right, left) = ring(&world, 1);
    let (_, far) = ring(&world, 2);
    let (mine, theirs) = (samples::<i64>(world.rank(), 40), samples::<i64>(left, 40));
    let mut matrix = mine.clone();
    world.sendrecv_replace(&mut StridedMut::new(&mut matrix, 2, 8, 1, 5)?, right, 0, left, 0)?;
    let expected: Vec<i64> = (0..40).map(|i| if i % 5 == 2 { theirs[i] } else { mine[i] }).collect();
    same(&matrix, &expected);

    let (mut array, mut value) = ([mine[0], mine[1]], mine[2]);
    world.sendrecv_replace(&mut array, right, 0, left, 0)?;
    world.sendrecv_replace(&mut value, right, 0, left, 0)?;
    assert_eq!((array, value), ([theirs[0], theirs[1]], theirs[2]));
    world.scope(|s| {
        assert_eq!(*s.isendrecv_replace(&mut value, right, 0, left, 0)?.wait()?.data, samples(far, 3)[2]);
        let column = StridedMut::new(&mut matrix, 2, 8, 1, 5)?;
        let (_, got) = s.isendrecv(&mine[..8], right, 0, column, left, 0)?.wait()?;
        assert!((0..8).all(|r| got.data[(r, 0)] == theirs[r]));
        Ok(())
    })
}

/// At the edge of a line one of the two is nobody.
#[mpi::test(ranks = [1, 2, 3])]
fn at_the_edges_of_a_line(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1 < size).then_some(me + 1), me.checked_sub(1));
    let expected = previous.map_or(vec![7; 4], |from| samples::<u32>(from, 4));
    let mine = samples::<u32>(me, 4);
    let mut into = [7; 4];
    world.scope(|s| {
        let (_, got) = s.isendrecv(&mine, next, 0, &mut into, previous, 0)?.wait()?;
        let brought = if previous.is_some() { 4 } else { 0 };
        assert_eq!((got.status.source(), got.status.count::<u32>()), (previous, Some(brought)));
        Ok(())
    })?;
    same(&into, &expected);
    let expected = previous.map_or(mine.clone(), |from| samples::<u32>(from, 4));
    let mut block = mine.clone();
    world.scope(|s| s.isendrecv_replace(&mut block, next, 0, previous, 0)?.wait().map(|_| ()))?;
    same(&block, &expected);
    let mut block = mine.clone();
    let status = world.sendrecv_replace(&mut block, next, 0, previous, 0)?.status;
    assert_eq!(status.source(), previous);
    same(&block, &expected);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_longer_message_is_truncated(world: Communicator) -> Result<()> {
    let peer = 1 - world.rank();
    let mut buffer = [1u32, 2, 3];
    let error = world.scope(|s| {
        s.isend(&[5u32; 9], peer, 0)?.defer();
        s.isendrecv_replace(&mut buffer, peer, 1, peer, 0)?.wait().map(|_| ())
    });
    assert_eq!(error.expect_err("9 do not fit into 3").class(), ErrorClass::TRUNCATE);
    buffer.fill(4); // ours again
    assert_eq!(world.recv::<[u32; 3]>(peer, 1)?.data, [1, 2, 3]);

    let error = world.scope(|s| {
        s.isend(&[5u32; 9], peer, 0)?.defer();
        s.isendrecv(&[6u8], peer, 1, &mut buffer, peer, 0)?.wait().map(|_| ())
    });
    assert_eq!(error.expect_err("9 do not fit into 3").class(), ErrorClass::TRUNCATE);
    buffer.fill(4);
    assert_eq!(world.recv::<u8>(peer, 1)?.data, 6);

    let error = world.scope(|s| {
        s.isend(&[5u32; 9], peer, 0)?.defer();
        world.sendrecv_replace(&mut buffer, peer, 1, peer, 0).map(|_| ())
    });
    assert_eq!(error.expect_err("9 do not fit into 3").class(), ErrorClass::TRUNCATE);
    assert_eq!(world.recv::<[u32; 3]>(peer, 1)?.data, [4; 3]);
    world.barrier()
}
