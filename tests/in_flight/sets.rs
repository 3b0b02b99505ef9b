//! Sets of requests: completed in any order, posted again, of several kinds, failing one by one.

use crate::sample::{same, samples};
use mpi::request::{RequestSet, Test, test_all};
use mpi::{Communicator, ErrorClass, Received, Result, Source, Tag};
use std::mem;
use std::task::Poll;

fn other(world: &Communicator) -> usize {
    1 - world.rank()
}

/// Rank 0 serves two clients: whatever arrives is answered, and its receive posted again.
#[mpi::test(ranks = 3)]
fn a_server_posts_its_receives_again(world: Communicator) -> Result<()> {
    const ROUNDS: u64 = 200;
    if world.rank() != 0 {
        for i in 0..ROUNDS {
            world.send(&[world.rank() as u64, i], 0, 1)?;
            assert_eq!(world.recv::<u64>(0, 2)?.data, world.rank() as u64 * 1000 + i);
        }
        return Ok(());
    }
    let mut inboxes = [[0u64; 2]; 2];
    let mut served = [0; 3];
    world.scope(|s| {
        let mut set = RequestSet::with_capacity(s, 2);
        for (inbox, client) in inboxes.iter_mut().zip(1..) {
            assert_eq!(set.push(s.irecv(inbox, client, 1)?), client - 1);
        }
        while let Some((i, got)) = set.wait_any()? {
            let [client, round] = *got.data;
            assert_eq!((i + 1, got.status.source()), (client as usize, Some(client as usize)));
            assert_eq!(round, served[client as usize]);
            served[client as usize] += 1;
            world.send(&(client * 1000 + round), client as usize, 2)?;
            if round + 1 < ROUNDS {
                assert_eq!(set.push(s.irecv(got.data, client as usize, 1)?), i, "the place that is free");
            }
        }
        assert!(set.is_empty());
        assert!(set.wait_any()?.is_none() && set.wait_any()?.is_none());
        Ok(())
    })?;
    assert_eq!(served, [0, ROUNDS, ROUNDS]);
    Ok(())
}

/// The same with one call for all that has arrived.
#[mpi::test(ranks = 3)]
fn a_server_that_takes_what_has_arrived(world: Communicator) -> Result<()> {
    const ROUNDS: u32 = 300;
    if world.rank() != 0 {
        return (0..ROUNDS).try_for_each(|i| world.send(&[i], 0, 0));
    }
    let mut inboxes = [[0u32; 1]; 8];
    let mut sums = [0; 3];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        for inbox in &mut inboxes {
            set.push(s.irecv(inbox, Source::ANY, 0)?);
        }
        let (mut done, mut left) = (vec![], 2 * ROUNDS - 8);
        while let Some(n) = set.wait_some(&mut done)? {
            assert_eq!(n, done.len());
            for (_, result) in done.drain(..) {
                let got = result?;
                sums[got.status.source().expect("a client")] += got.data[0];
                if left > 0 {
                    left -= 1;
                    set.push(s.irecv(got.data, Source::ANY, 0)?);
                }
            }
        }
        Ok(())
    })?;
    let sum = ROUNDS * (ROUNDS - 1) / 2;
    assert_eq!(sums, [0, sum, sum]);
    Ok(())
}

/// More requests than the set or the scope has room for, every status at its request's index.
#[mpi::test(ranks = 2)]
fn a_hundred_and_fifty_that_grow_a_set_of_one(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let mut theirs = vec![[0u64; 3]; 150];
    let mine: Vec<u64> = samples(me, 450);
    world.scope(|s| {
        let mut set = RequestSet::with_capacity(s, 1);
        for (part, tag) in theirs.iter_mut().zip(0..) {
            assert_eq!(set.push(s.irecv(&mut part[..1 + tag as usize % 3], peer, tag)?), tag as usize);
        }
        for tag in (0..150).rev() {
            let from = 3 * tag as usize;
            s.isend(&mine[from..from + 1 + tag as usize % 3], peer, tag)?.defer();
        }
        let expected: Vec<u64> = samples(peer, 450);
        assert_eq!(set.len(), 150);
        let all = set.wait_all()?;
        assert_eq!(all.len(), 150);
        for (i, result) in all {
            let got = result?;
            assert_eq!(got.status.tag(), i as i32);
            assert_eq!(got.status.count::<u64>(), Some(1 + i % 3));
            assert_eq!(got.data, &expected[3 * i..3 * i + 1 + i % 3]);
        }
        assert!(set.is_empty());
        Ok(())
    })
}

/// `test_*` until done: pending first, then everything, then nothing is left.
#[mpi::test(ranks = 2)]
fn tests_that_do_not_wait(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let mut parts = [[0u8; 4]; 6];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        assert!(matches!(set.test_any()?, Poll::Ready(None)), "an empty set is drained");
        assert_eq!(set.test_some(&mut vec![])?, None);
        assert!(matches!(set.test_all()?, Poll::Ready(done) if done.is_empty()));
        set.extend(
            parts
                .iter_mut()
                .zip(0..)
                .map(|(part, tag)| s.irecv(part, peer, tag))
                .collect::<Result<Vec<_>>>()?,
        );
        assert!(set.test_any()?.is_pending());
        assert_eq!(set.test_some(&mut vec![])?, Some(0));
        assert!(set.test_all()?.is_pending());
        world.barrier()?;
        let bytes: Vec<[u8; 4]> = (0..6).map(|i| [i; 4]).collect();
        let bytes = s.keep(bytes);
        for (message, tag) in bytes.iter().rev().zip([5, 4, 3, 2, 1, 0]) {
            s.isend(message, peer, tag)?.defer();
        }
        let mut seen = vec![];
        while seen.len() < 2 {
            if let Poll::Ready(Some((i, got))) = set.test_any()? {
                assert_eq!(*got.data, [i as u8; 4]);
                seen.push(i);
            }
        }
        let mut done = vec![];
        while done.len() < 2 {
            set.test_some(&mut done)?.expect("not drained");
        }
        for (i, result) in done {
            assert_eq!(*result?.data, [i as u8; 4]);
            seen.push(i);
        }
        let rest = loop {
            if let Poll::Ready(rest) = set.test_all()? {
                break rest;
            }
        };
        for (i, result) in rest {
            assert_eq!((*result?.data, seen.contains(&i)), ([i as u8; 4], false));
            seen.push(i);
        }
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2, 3, 4, 5]);
        assert!(matches!(set.test_any()?, Poll::Ready(None)));
        Ok(())
    })
}

#[derive(Debug)]
enum Event<'s> {
    Numbers(Received<&'s mut [f64; 4]>),
    Text(Received<&'s mut [u8]>),
    Sum(u64),
    Sent(usize),
    Barrier,
}

/// Sends, receives and collectives of several types in one set.
#[mpi::test(ranks = 2)]
fn mixed_kinds_in_one_set(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let (mut numbers, mut text, mut sum) = ([0.0; 4], [0u8; 9], [0u64]);
    let mine = [me as f64; 4];
    let contribution = [5 + me as u64];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        set.push(s.irecv(&mut numbers, peer, 0)?.map(Event::Numbers).boxed());
        set.push(s.irecv(&mut text[..], peer, 1)?.map(Event::Text).boxed());
        set.push(s.isend(&mine, peer, 0)?.map(|back| Event::Sent(back.len())).boxed());
        set.push(s.isend(b"nine byte", peer, 1)?.map(|back| Event::Sent(back.len())).boxed());
        let reduction = s.iallreduce(&contribution, &mut sum, mpi::op::Sum)?;
        set.push(reduction.map(|(_, sum)| Event::Sum(sum[0])).boxed());
        set.push(s.ibarrier()?.map(|()| Event::Barrier).boxed());
        let mut seen = [false; 6];
        while let Some((i, event)) = set.wait_any()? {
            assert!(!mem::replace(&mut seen[i], true));
            match (i, event) {
                (0, Event::Numbers(got)) => assert_eq!(*got.data, [peer as f64; 4]),
                (1, Event::Text(got)) => assert_eq!(got.data, b"nine byte"),
                (2, Event::Sent(4)) | (3, Event::Sent(9)) | (4, Event::Sum(11)) | (5, Event::Barrier) => {}
                wrong => panic!("{wrong:?}"),
            }
        }
        assert_eq!(seen, [true; 6]);
        Ok(())
    })
}

/// What becomes of a set in flight does not matter.
#[mpi::test(ranks = 2)]
fn dropped_forgotten_and_leaked_sets(world: Communicator) -> Result<()> {
    let (me, peer) = (world.rank(), other(&world));
    let mut parts = [[0u32; 50]; 6];
    let mine: Vec<u32> = samples(me, 300);
    world.scope(|s| {
        for (pair, round) in parts.chunks_mut(2).zip(0..) {
            let mut set = RequestSet::new(s);
            for (part, tag) in pair.iter_mut().zip(2 * round..) {
                set.push(s.irecv(part, peer, tag)?);
            }
            match round {
                0 => drop(set),
                1 => mem::forget(set),
                _ => drop(Box::leak(Box::new(set)).is_empty()),
            }
        }
        for (part, tag) in mine.chunks(50).zip(0..) {
            s.isend(part, peer, tag)?.defer();
        }
        Ok(())
    })?;
    same(parts.as_flattened(), &samples::<u32>(peer, 300));
    Ok(())
}

/// What MPI completes at once, and gives no handle for, is given back all the same.
#[mpi::test(ranks = 1)]
fn requests_to_and_from_nowhere(world: Communicator) -> Result<()> {
    let mut x = [[7u8; 2]; 3];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        let [a, b, c] = x.each_mut();
        set.push(s.irecv(a, None, 0)?);
        set.push(s.irecv(b, 0, Tag::ANY)?);
        set.push(s.irecv(c, None, 0)?);
        assert!(set.test_all()?.is_pending(), "nobody has sent for the second");
        let mut from_nowhere = vec![];
        for _ in 0..2 {
            let (i, got) = set.wait_any()?.expect("complete");
            assert_eq!((got.status.source(), got.status.count::<u8>(), *got.data), (None, Some(0), [7; 2]));
            from_nowhere.push(i);
        }
        from_nowhere.sort_unstable();
        assert_eq!(from_nowhere, [0, 2]);
        s.isend(&[1u8, 2], 0, 5)?.defer();
        let (i, got) = set.wait_any()?.expect("one is left");
        assert_eq!((i, *got.data, got.status.tag().get()), (1, [1, 2], 5));
        assert!(set.wait_any()?.is_none());

        let mut sends = RequestSet::new(s);
        sends.extend([s.isend(&[1u8], None, 0)?, s.isend(&[2u8], None, 0)?]);
        assert_eq!(sends.wait_all()?.len(), 2);
        Ok(())
    })
}

/// Four messages, of which the third is too long: three are given back, and everything is accounted for.
#[mpi::test(ranks = 2)]
fn a_failed_wait_all_gives_back_what_is_complete(world: Communicator) -> Result<()> {
    if world.rank() == 0 {
        for tag in 0..4 {
            world.send(&[tag as u32; 3][..if tag == 2 { 3 } else { 1 }], 1, tag)?;
        }
        // The last receive is completed by the second call, or it was by the first.
        world.barrier()?;
        return world.send(&[4u32], 1, 4);
    }
    let mut parts = [[9u32]; 5];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        for (part, tag) in parts.iter_mut().zip(0..) {
            set.push(s.irecv(part, 0, tag)?);
        }
        world.barrier()?;
        let (mut failed, mut complete, mut calls) = (vec![], vec![], 0);
        while !set.is_empty() {
            calls += 1;
            assert!(calls < 10, "each call gets further");
            let before = set.len();
            let results = set.wait_all()?;
            assert_eq!(before, set.len() + results.len(), "given back, or still in the set");
            for (i, result) in results {
                match result {
                    Ok(got) => complete.push((i, got.data[0], got.status.tag().get())),
                    Err(error) => failed.push((i, error)),
                }
            }
        }
        complete.sort_unstable();
        assert_eq!(complete, [(0, 0, 0), (1, 1, 1), (3, 3, 3), (4, 4, 4)]);
        let [(2, error)] = failed[..] else { panic!("{failed:?}") };
        assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(2)), "{error}");
        Ok(())
    })
}

/// The same with `wait_any` and `wait_some`: the error names its request, the others come after it.
#[mpi::test(ranks = 2)]
fn a_truncated_message_among_others(world: Communicator) -> Result<()> {
    for some in [false, true] {
        if world.rank() == 0 {
            for tag in [3, 2, 1, 0] {
                world.send(&[tag as u32; 3][..if tag % 2 == 1 { 3 } else { 1 }], 1, tag)?;
            }
            world.barrier()?;
            continue;
        }
        let mut parts = [[9u32]; 4];
        world.scope(|s| {
            let mut set = RequestSet::new(s);
            for (part, tag) in parts.iter_mut().zip(0..) {
                set.push(s.irecv(part, 0, tag)?);
            }
            world.barrier()?;
            let (mut failed, mut complete, mut done) = (vec![], vec![], vec![]);
            while !set.is_empty() {
                if some {
                    set.wait_some(&mut done)?;
                } else {
                    match set.wait_any() {
                        Ok(Some((i, got))) => done.push((i, Ok(got))),
                        Ok(None) => panic!("not drained: {set:?}"),
                        Err(error) => done.push((error.index().expect("of one request"), Err(error))),
                    }
                }
                for (i, result) in done.drain(..) {
                    match result {
                        Ok(got) => complete.push((i, got.data[0])),
                        Err(error) => failed.push((i, error.class(), error.index())),
                    }
                }
            }
            complete.sort_unstable();
            failed.sort_unstable_by_key(|failure| failure.0);
            assert_eq!(complete, [(0, 0), (2, 2)]);
            assert_eq!(failed, [(1, ErrorClass::TRUNCATE, Some(1)), (3, ErrorClass::TRUNCATE, Some(3))]);
            Ok(())
        })?;
    }
    Ok(())
}

/// An early `Err` with a set in flight whose messages never come.
#[mpi::test(ranks = [1, 2])]
fn an_early_error_with_a_set_in_flight(world: Communicator) -> Result<()> {
    let mut parts = [[7u8; 3]; 40];
    let result = world.scope(|s| {
        let mut set = RequestSet::with_capacity(s, 3);
        for (part, tag) in parts.iter_mut().zip(0..) {
            set.push(s.irecv(part, Source::ANY, tag)?);
        }
        world.send(&1u8, world.size(), 0)?;
        Ok(())
    });
    assert_eq!(result.expect_err("no such rank").class(), ErrorClass::RANK);
    assert_eq!(parts, [[7; 3]; 40]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn test_all_on_arrays_vectors_and_tuples(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let (mut a, mut b, mut c) = ([[0u16; 2]; 3], [0u16; 3], [0.0f32; 1]);
    world.scope(|s| {
        let [x, y, z] = a.each_mut();
        // Posted in another order than asked for, so that the handles do not lie in a row.
        let (third, first) = (s.irecv(z, peer, 2)?, s.irecv(x, peer, 0)?);
        let mut array = [first, s.irecv(y, peer, 1)?, third];
        let vector = b.iter_mut().zip(3..).map(|(x, tag)| s.irecv(x, peer, tag));
        let mut vector = vector.collect::<Result<Vec<_>>>()?;
        let mut tuple = (s.irecv(&mut c, peer, 6)?, s.isend(&[1.5f32], peer, 6)?);
        let Test::Pending(back) = test_all(array)? else { panic!("nothing was sent") };
        array = back;
        world.barrier()?;
        for tag in 0..6 {
            let message = s.keep([tag as u16; 2]);
            s.isend(&message[..if tag < 3 { 2 } else { 1 }], peer, tag)?.defer();
        }
        loop {
            match test_all(array)? {
                Test::Pending(back) => array = back,
                Test::Done(all) => {
                    assert!(all.into_iter().zip(0..).all(|(got, i)| *got.data == [i; 2]));
                    break;
                }
            }
        }
        loop {
            match test_all(vector)? {
                Test::Pending(back) => vector = back,
                Test::Done(all) => {
                    assert!(all.into_iter().zip(3..).all(|(got, i)| *got.data == i));
                    break;
                }
            }
        }
        loop {
            match test_all(tuple)? {
                Test::Pending(back) => tuple = back,
                Test::Done((got, sent)) => {
                    assert_eq!((*got.data, *sent), ([1.5], [1.5]));
                    break;
                }
            }
        }
        Ok(())
    })
}
