//! A `wait_all` of which one operation fails while others are in flight: it returns, what is complete is given back, and
//! what is not stays lent until it is complete.
//!
//! Rank 1 sends the last two of four messages only when rank 0 says that its `wait_all` has failed. So these tests
//! also show that a failure that came before the call ends the call (fault `waitall-spins` of Open MPI).

use mpi::request::RequestSet;
use mpi::{Communicator, Error, ErrorClass, Result, wait_all};

/// Of the message that says that `wait_all` has failed.
const GO: i32 = 9;

/// Rank 1: message 1 is too long, and has come before rank 0 waits; messages 2 and 3 come after it has.
fn send_the_last_two_later(world: &Communicator) -> Result<()> {
    world.send(&[10u32], 0, 0)?;
    world.send(&[11u32; 3], 0, 1)?;
    world.barrier()?;
    world.recv::<u8>(0, GO)?;
    (2..4).try_for_each(|tag| world.send(&[10 + tag as u32], 0, tag))
}

#[track_caller]
fn the_second_failed(error: Error) {
    assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(1)), "{error}");
}

#[mpi::test(ranks = 2)]
fn an_array_stays_lent_until_the_scope_ends(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send_the_last_two_later(&world);
    }
    let mut parts = [[9u32]; 4];
    world.scope(|s| {
        let [a, b, c, d] = parts.each_mut();
        let requests = [s.irecv(a, 1, 0)?, s.irecv(b, 1, 1)?, s.irecv(c, 1, 2)?, s.irecv(d, 1, 3)?];
        world.barrier()?;
        the_second_failed(wait_all(requests).expect_err("one message was too long"));
        world.send(&0u8, 1, GO)
    })?;
    assert_eq!([parts[0], parts[2], parts[3]], [[10], [12], [13]]);
    Ok(())
}

/// The same for a vector whose handles do not lie in a row, so that MPI is given copies of them.
#[mpi::test(ranks = 2)]
fn a_vector_stays_lent_until_the_scope_ends(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send_the_last_two_later(&world);
    }
    let mut parts = [[9u32]; 4];
    world.scope(|s| {
        let posts = parts.iter_mut().zip([0, 1, 2, 3]).rev().map(|(part, tag)| s.irecv(part, 1, tag));
        let mut requests = posts.collect::<Result<Vec<_>>>()?;
        requests.reverse();
        world.barrier()?;
        the_second_failed(wait_all(requests).expect_err("one message was too long"));
        world.send(&0u8, 1, GO)
    })?;
    assert_eq!([parts[0], parts[2], parts[3]], [[10], [12], [13]]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_tuple_stays_lent_until_the_scope_ends(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send_the_last_two_later(&world);
    }
    let (mut a, mut b, mut c, mut d) = ([9u32], [9u32], 9u32, vec![9u32]);
    world.scope(|s| {
        let requests =
            (s.irecv(&mut a, 1, 0)?, s.irecv(&mut b, 1, 1)?, s.irecv(&mut c, 1, 2)?, s.irecv(&mut d, 1, 3)?);
        world.barrier()?;
        the_second_failed(wait_all(requests).expect_err("one message was too long"));
        world.send(&0u8, 1, GO)
    })?;
    assert_eq!((a, c, d), ([10], 12, vec![13]));
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_set_is_waited_for_again(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send_the_last_two_later(&world);
    }
    let mut parts = [[9u32]; 4];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        for (part, tag) in parts.iter_mut().zip(0..) {
            set.push(s.irecv(part, 1, tag)?);
        }
        world.barrier()?;
        let (mut got, mut failed) = (vec![], vec![]);
        let mut sort = |results: Vec<(usize, Result<mpi::Received<&mut [u32; 1]>>)>| {
            for (index, result) in results {
                match result {
                    Ok(one) => got.push((index, one.data[0])),
                    Err(error) => failed.push(error),
                }
            }
        };
        sort(set.wait_all()?);
        assert!(
            (2..=3).contains(&set.len()),
            "the last two cannot have come, the failed one is gone: {set:?}"
        );
        world.send(&0u8, 1, GO)?;
        while !set.is_empty() {
            sort(set.wait_all()?);
        }
        got.sort_unstable();
        assert_eq!(got, [(0, 10), (2, 12), (3, 13)]);
        let [error] = failed[..] else { panic!("{failed:?}") };
        the_second_failed(error);
        Ok(())
    })
}
