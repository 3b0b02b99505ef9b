//! Nonblocking collectives, other communicators, scopes inside scopes.

use crate::sample::{same, samples};
use mpi::op::{Max, Sum};
use mpi::{Communicator, Result, wait_all};

#[mpi::test(ranks = [1, 2, 3, 4])]
fn reductions_overlap(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank() as u64, world.size() as u64);
    let mine: Vec<u64> = (0..1000).map(|i| me + i).collect();
    let (mut sums, mut largest, mut one) = (vec![0; 1000], [0; 1000], 0);
    world.scope(|s| {
        let sums = s.iallreduce(&mine, &mut sums, Sum)?;
        let largest = s.iallreduce(&mine[..], &mut largest, Max)?;
        let one = s.iallreduce(&1u64, &mut one, Sum)?;
        let barrier = s.ibarrier()?;
        // Completed in another order than they were started.
        let (one, (back, largest), ()) = wait_all((one, largest, barrier))?;
        assert_eq!((*one.1, back), (size, &mine[..]));
        assert!(largest.iter().copied().eq((0..1000).map(|i| size - 1 + i)));
        let (back, sums) = sums.wait()?;
        assert_eq!(back, &mine);
        assert!(sums.iter().copied().eq((0..1000).map(|i| size * (size - 1) / 2 + size * i)));
        Ok(())
    })
}

/// A reduction in flight while messages go around, and its result is fetched at the end of the scope.
#[mpi::test(ranks = [1, 2, 4])]
fn a_reduction_overlaps_messages(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let (mut total, mut theirs) = ([0.0f64; 3], vec![0i32; 5000]);
    let mine = samples::<i32>(me, 5000);
    world.scope(|s| {
        s.iallreduce(&[1.0, 2.0, 3.0], &mut total, Sum)?.defer();
        let incoming = s.irecv(&mut theirs, previous, 0)?;
        s.isend(&mine, next, 0)?.defer();
        same(incoming.wait()?.data, &samples::<i32>(previous, 5000));
        Ok(())
    })?;
    assert_eq!(total, [1.0, 2.0, 3.0].map(|x| x * size as f64));
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn a_barrier_in_flight(world: Communicator) -> Result<()> {
    world.scope(|s| {
        let barriers = [s.ibarrier()?, s.ibarrier()?];
        wait_all(barriers)?;
        s.ibarrier()?.defer();
        Ok(())
    })
}

#[mpi::test(ranks = [1, 2])]
fn one_scope_two_communicators(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let dup = world.dup()?;
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let (mut on_world, mut on_dup, mut total) = (0, 0, 0);
    world.scope(|s| {
        let d = s.on(&dup);
        assert_eq!((s.comm().size(), d.comm().compare(&dup)?), (size, mpi::Comparison::Identical));
        // Same peer, same tag; posted and sent in opposite orders: only the communicator tells them apart.
        s.irecv(&mut on_world, previous, 0)?.defer();
        d.irecv(&mut on_dup, previous, 0)?.defer();
        d.isend(&2, next, 0)?.defer();
        s.isend(&1, next, 0)?.defer();
        d.iallreduce(&1usize, &mut total, Sum)?.defer();
        Ok(())
    })?;
    assert_eq!((on_world, on_dup, total), (1, 2, size));
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn a_scope_inside_a_scope(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let (mut outer, mut inner) = ([0u8; 3], vec![0u8; 3]);
    world.scope(|s| {
        let outer = s.irecv(&mut outer, previous, 0)?;
        world.scope(|t| {
            t.irecv(&mut inner, previous, 1)?.defer();
            t.isend(&[4u8, 5, 6], next, 1)?.defer();
            Ok(())
        })?;
        assert_eq!(inner, [4, 5, 6], "the inner scope is over");
        s.isend(&inner[..], next, 0)?.defer();
        assert_eq!(outer.wait()?.data, &[4, 5, 6]);
        Ok(())
    })
}

/// A helper that posts and returns the requests.
#[mpi::test(ranks = [1, 2])]
fn a_helper_returns_requests(world: Communicator) -> Result<()> {
    use mpi::Scope;
    use mpi::request::{RecvRequest, SendRequest};
    type Pair<'s> = (RecvRequest<'s, &'s mut [f32]>, SendRequest<'s, &'s [f32]>);

    fn shift<'s>(s: Scope<'s, '_>, out: &'s [f32], into: &'s mut [f32]) -> Result<Pair<'s>> {
        let (me, size) = (s.comm().rank(), s.comm().size());
        let incoming = s.irecv(into, (me + size - 1) % size, 0)?;
        Ok((incoming, s.isend(out, (me + 1) % size, 0)?))
    }
    let (mine, mut theirs) = ([world.rank() as f32; 8], [-1.0; 8]);
    world.scope(|s| wait_all(shift(s, &mine, &mut theirs)?).map(|_| ()))?;
    assert_eq!(theirs, [((world.rank() + world.size() - 1) % world.size()) as f32; 8]);
    Ok(())
}
