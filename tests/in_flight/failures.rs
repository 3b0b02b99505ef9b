//! A `wait_all` of which one operation fails while others are in flight: it returns, what is complete is given back, and
//! what is not stays lent until it is complete.
//!
//! The failure came before the call, where Open MPI's own `MPI_Waitall` never returns (fault `waitall-spins`).

use crate::one_too_long::{returns_early, seen, send};
use mpi::request::RequestSet;
use mpi::{Communicator, Received, Result, wait_all};

#[mpi::test(ranks = 2)]
fn an_array_stays_lent_until_the_scope_ends(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send(&world);
    }
    let mut parts = [[9u32]; 4];
    world.scope(|s| {
        let [a, b, c, d] = parts.each_mut();
        let requests = [s.irecv(a, 1, 0)?, s.irecv(b, 1, 1)?, s.irecv(c, 1, 2)?, s.irecv(d, 1, 3)?];
        world.barrier()?;
        seen(&world, wait_all(requests).expect_err("one message was too long"))
    })?;
    assert_eq!([parts[0], parts[2], parts[3]], [[10], [12], [13]]);
    Ok(())
}

/// The same for a vector whose handles do not lie in a row, so that MPI is given copies of them.
#[mpi::test(ranks = 2)]
fn a_vector_stays_lent_until_the_scope_ends(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send(&world);
    }
    let mut parts = [[9u32]; 4];
    world.scope(|s| {
        let posts = parts.iter_mut().zip([0, 1, 2, 3]).rev().map(|(part, tag)| s.irecv(part, 1, tag));
        let mut requests = posts.collect::<Result<Vec<_>>>()?;
        requests.reverse();
        world.barrier()?;
        seen(&world, wait_all(requests).expect_err("one message was too long"))
    })?;
    assert_eq!([parts[0], parts[2], parts[3]], [[10], [12], [13]]);
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_tuple_stays_lent_until_the_scope_ends(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send(&world);
    }
    let (mut a, mut b, mut c, mut d) = ([9u32], [9u32], 9u32, vec![9u32]);
    world.scope(|s| {
        let requests =
            (s.irecv(&mut a, 1, 0)?, s.irecv(&mut b, 1, 1)?, s.irecv(&mut c, 1, 2)?, s.irecv(&mut d, 1, 3)?);
        world.barrier()?;
        seen(&world, wait_all(requests).expect_err("one message was too long"))
    })?;
    assert_eq!((a, c, d), ([10], 12, vec![13]));
    Ok(())
}

#[mpi::test(ranks = 2)]
fn a_set_is_waited_for_again(world: Communicator) -> Result<()> {
    if world.rank() == 1 {
        return send(&world);
    }
    let mut parts = [[9u32]; 4];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        for (part, tag) in parts.iter_mut().zip(0..) {
            set.push(s.irecv(part, 1, tag)?);
        }
        world.barrier()?;
        let (mut got, mut failed) = (vec![], vec![]);
        let mut calls = 0;
        while !set.is_empty() {
            let before = set.len();
            let results: Vec<(usize, Result<Received<&mut [u32; 1]>>)> = set.wait_all()?;
            calls += 1;
            assert!(!results.is_empty() && before == results.len() + set.len(), "given back or still there");
            for (index, result) in results {
                match result {
                    Ok(one) => got.push((index, one.data[0])),
                    Err(error) => {
                        seen(&world, error)?;
                        failed.push(index);
                    }
                }
            }
        }
        got.sort_unstable();
        assert_eq!((got, failed), (vec![(0, 10), (2, 12), (3, 13)], vec![1]));
        assert!(calls > 1 || !returns_early(), "the last two came after the first call");
        Ok(())
    })
}
