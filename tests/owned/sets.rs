//! Sets of owned requests: any, some, all; refilled, drained, with failures.

use crate::other;
use mpi::request::{Outgoing, PendingSet, Test};
use mpi::{Communicator, ErrorClass, Result};
use std::time::{Duration, Instant};

fn receives(world: &Communicator, tags: std::ops::Range<i32>) -> Result<PendingSet<Vec<u64>>> {
    let posts = tags.map(|tag| world.irecv(vec![0u64; 2], other(world), tag));
    Ok(posts.collect::<Result<_, _>>()?)
}

fn sends(world: &Communicator, tags: std::ops::Range<i32>) -> Result<PendingSet<Vec<u64>, Outgoing>> {
    let posts = tags.rev().map(|tag| world.isend(vec![tag as u64; 2], other(world), tag));
    Ok(posts.collect::<Result<_, _>>()?)
}

#[mpi::test(ranks = 2)]
fn any_until_drained(world: Communicator) -> Result<()> {
    let mut set = receives(&world, 0..40)?;
    let mut out = sends(&world, 0..40)?;
    let mut seen = [false; 40];
    while let Some((index, got)) = set.wait_any()? {
        assert_eq!((got.data, got.status.tag().get()), (vec![index as u64; 2], index as i32));
        assert!(!std::mem::replace(&mut seen[index], true));
    }
    assert_eq!(seen, [true; 40]);
    assert!(set.is_empty() && set.wait_any()?.is_none() && set.wait_some()?.is_none());
    assert!(matches!(set.test_any()?, Test::Done(None)));
    let back = out.wait_all()?;
    assert_eq!((back[0][0], back[39][0], out.len()), (39, 0, 0), "in the order of their indices");
    Ok(())
}

#[mpi::test(ranks = 2)]
fn some_and_tests(world: Communicator) -> Result<()> {
    let mut set = receives(&world, 0..30)?;
    assert!(matches!(set.test_any()?, Test::Pending(())));
    assert!(matches!(set.test_all()?, Test::Pending(())));
    assert_eq!(set.test_some()?.map(|some| some.len()), Some(0));
    world.barrier()?;
    let mut out = sends(&world, 0..30)?;
    let mut count = 0;
    while let Some(some) = if count < 10 { set.wait_some()? } else { set.test_some()? } {
        assert!(some.is_sorted_by_key(|&(index, _)| index));
        for (index, got) in some {
            assert_eq!(got.data, [index as u64; 2]);
            count += 1;
        }
    }
    assert_eq!(count, 30);
    while let Test::Pending(()) = out.test_all()? {}
    world.barrier()?;

    let mut set = receives(&world, 0..3)?;
    let _out = sends(&world, 0..3)?;
    let all = loop {
        if let Test::Done(all) = set.test_all()? {
            break all;
        }
    };
    assert_eq!(all.iter().map(|got| got.data[0]).collect::<Vec<_>>(), [0, 1, 2]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_vector_of_requests(world: Communicator) -> Result<()> {
    let peer = other(&world);
    let receives = (0..9).map(|tag| world.irecv(Box::new(0), peer, tag)).collect::<Result<Vec<_>, _>>()?;
    let sends =
        (0..9).rev().map(|tag| world.isend(Box::new(tag), peer, tag)).collect::<Result<Vec<_>, _>>()?;
    let got = mpi::wait_all(receives)?;
    assert!(got.iter().map(|got| *got.data).eq(0..9));
    assert!(mpi::wait_all(sends)?.into_iter().map(|back| *back).eq((0..9).rev()));
    Ok(())
}

/// Each question is answered and the receive posted again, into the same buffer.
#[mpi::test(ranks = [2, 4])]
fn a_server_refills_its_set(world: Communicator) -> Result<()> {
    const ROUNDS: u64 = 60;
    if world.rank() != 0 {
        for round in (0..ROUNDS).rev() {
            world.send(&[round, 10 * world.rank() as u64], 0, 0)?;
            assert_eq!(world.recv_vec::<u64>(0, 1)?.data, [round + 10 * world.rank() as u64]);
        }
        return Ok(());
    }
    let post = |rank| world.irecv(vec![0u64; 2], rank, 0);
    let mut asked = (1..world.size()).map(post).collect::<Result<PendingSet<_>, _>>()?;
    let (mut answers, mut total) = (PendingSet::new(), 0);
    while let Some((_, question)) = asked.wait_any()? {
        let rank = question.status.source().expect("a rank has sent it");
        answers.push(world.isend(vec![question.data.iter().sum::<u64>()], rank, 1)?);
        total += 1;
        if question.data[0] > 0 {
            let index = asked.push(world.irecv(question.data, rank, 0)?);
            assert!(index >= world.size() - 1, "an index is not used again");
        }
        answers.test_some()?;
    }
    assert_eq!(total, ROUNDS * (world.size() as u64 - 1));
    answers.wait_all()?;
    Ok(())
}

/// The one that failed is named and gives its buffer back; the others arrive.
#[mpi::test(ranks = 2)]
fn a_failure_loses_nothing(world: Communicator) -> Result<()> {
    for way in 0..4 {
        let mut set = receives(&world, 0..4)?;
        world.barrier()?;
        let out = [vec![1u64, 1], vec![2; 3], vec![3; 2], vec![4]];
        let mut out = out
            .into_iter()
            .zip(0..)
            .map(|(message, tag)| world.isend(message, other(&world), tag))
            .collect::<Result<PendingSet<_, _>, _>>()?;
        let (mut got, mut failures) = (vec![], vec![]);
        let start = Instant::now();
        while !set.is_empty() {
            assert!(start.elapsed() < Duration::from_secs(10), "{set:?}");
            let result = match way {
                0 => set.wait_any().map(|one| got.extend(one)),
                1 => set.wait_some().map(|some| got.extend(some.into_iter().flatten())),
                2 => set.wait_all().map(|all| got.extend([0, 2, 3].into_iter().zip(all))),
                _ => set.test_some().map(|some| got.extend(some.into_iter().flatten())),
            };
            failures.extend(result.err());
        }
        got.sort_by_key(|&(index, _)| index);
        let data: Vec<_> = got.into_iter().map(|(index, got)| (index, got.data)).collect();
        assert_eq!(data, [(0, vec![1, 1]), (2, vec![3, 3]), (3, vec![4, 0])], "way {way}");
        let [failed] = &failures[..] else { panic!("{failures:?}") };
        assert_eq!((failed.error.index(), failed.error.class()), (Some(1), ErrorClass::TRUNCATE));
        assert_eq!(failed.data.as_ref().map(Vec::len), Some(2));
        out.wait_all()?;
        world.barrier()?;
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn nowhere_in_a_set(world: Communicator) -> Result<()> {
    let me = world.rank();
    let mut set = PendingSet::new();
    set.push(world.irecv(vec![1u8], None, 0)?);
    set.push(world.irecv(vec![2u8], me, 1)?);
    set.push(world.irecv(vec![3u8], None, 0)?);
    let mut nowhere = vec![set.wait_any()?, set.wait_any()?];
    nowhere.sort_by_key(|one| one.as_ref().map(|&(index, _)| index));
    for (one, expected) in nowhere.into_iter().zip([0, 2]) {
        let (index, got) = one.expect("two are from nowhere");
        assert_eq!((index, got.data, got.status.source()), (expected, vec![expected as u8 + 1], None));
    }
    world.isend(vec![9u8], me, 1)?.wait()?;
    assert_eq!(set.wait_all()?[0].data, [9]);
    Ok(())
}
