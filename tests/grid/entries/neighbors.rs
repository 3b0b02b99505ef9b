//! Neighbourhood collectives, on a ring: also of two ranks, or of one, who are their own neighbours.

use super::varied::split_mut;
use super::{forms, twice, twice_by_plan};
use crate::collective::Form::{Into, Owned, Persistent, Returning, Scope};
use crate::collective::{At, Both, Collective, Form, Uses};
use crate::model::{Model, Value};
use mpi::buffer::{Counted, Counts, Parts, PartsMut, WithCounts};
use mpi::op::Operation;
use mpi::topology::Cartesian;
use mpi::{AnyBits, Result};

const FORMS: &[Form] = &[Returning, Into, Scope, Owned, Persistent];

fn ring(at: At<'_>) -> Result<Cartesian> {
    Ok(at.comm.cartesian(&[at.comm.size()], &[true], false)?.expect("every rank has a place"))
}

/// Below and above.
fn around<T>(m: &Model<T>, rank: usize) -> [usize; 2] {
    [(rank + m.ranks - 1) % m.ranks, (rank + 1) % m.ranks]
}

/// How many elements a rank gives each neighbour, below and above.
fn lengths(ranks: usize, len: usize, rank: usize) -> [usize; 2] {
    [if (rank % ranks).is_multiple_of(2) { len } else { 0 }, len / 2]
}

fn given(at: At<'_>) -> Result<Counts> {
    Counts::new(&lengths(at.comm.size(), at.len, at.comm.rank()))
}

/// What comes from below was sent upwards.
fn gotten(at: At<'_>) -> Result<Counts> {
    let (n, rank) = (at.comm.size(), at.comm.rank());
    Counts::new(&[lengths(n, at.len, (rank + n - 1) % n)[1], lengths(n, at.len, (rank + 1) % n)[0]])
}

/// What both neighbours give everybody.
fn spread(at: At<'_>) -> Result<Counts> {
    let (n, rank) = (at.comm.size(), at.comm.rank());
    Counts::new(&[lengths(n, at.len, (rank + n - 1) % n)[0], lengths(n, at.len, (rank + 1) % n)[0]])
}

pub struct NeighborAllgather;
impl Collective for NeighborAllgather {
    const NAME: &'static str = "neighbor_allgather";
    const USES: Uses = Uses::ELEMENTS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(around(m, rank).into_iter().flat_map(|from| m.block(from, 0)).collect())
    }
    forms! {
        returning |at, _, x| ring(at)?.neighbor_allgather(x).map(Some);
        into |at, _, x, y| ring(at)?.neighbor_allgather_into(x, y);
        scope |at, _, x, y| ring(at)?.scope(|s| s.ineighbor_allgather(x, y)?.wait().map(drop));
        owned |at, _, x, y| Ok(ring(at)?.ineighbor_allgather(x, y)?.wait()?);
        persistent |at, _, x, y| twice(ring(at)?.neighbor_allgather_init(x, y));
    }
}

pub struct NeighborAlltoall;
impl Collective for NeighborAlltoall {
    const NAME: &'static str = "neighbor_alltoall";
    const USES: Uses = Uses::ELEMENTS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        [m.block(rank, 0), m.block(rank, 1)].concat()
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let [below, above] = around(m, rank);
        Some([m.block(below, 1), m.block(above, 0)].concat())
    }
    forms! {
        returning |at, _, x| ring(at)?.neighbor_alltoall(x).map(Some);
        into |at, _, x, y| ring(at)?.neighbor_alltoall_into(x, y);
        scope |at, _, x, y| ring(at)?.scope(|s| s.ineighbor_alltoall(x, y)?.wait().map(drop));
        owned |at, _, x, y| Ok(ring(at)?.ineighbor_alltoall(x, y)?.wait()?);
        persistent |at, _, x, y| twice(ring(at)?.neighbor_alltoall_init(x, y));
    }
}

pub struct NeighborAllgatherv;
impl Collective for NeighborAllgatherv {
    const NAME: &'static str = "neighbor_allgatherv";
    const USES: Uses = Uses::ELEMENTS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.part(rank, 0, lengths(m.ranks, m.len, rank)[0])
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(around(m, rank).into_iter().flat_map(|from| Self::give(m, from)).collect())
    }
    forms! {
        returning |at, _, x| ring(at)?.neighbor_allgatherv(x).map(Some);
        into |at, _, x, y| ring(at)?.neighbor_allgatherv_into(x, y.with_counts_mut(&spread(at)?));
        scope |at, _, x, y| {
            let counts = spread(at)?;
            ring(at)?.scope(|s| s.ineighbor_allgatherv(x, y.with_counts_mut(&counts))?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (x, y) = ring(at)?.ineighbor_allgatherv(x, Counted::new(y, spread(at)?))?.wait()?;
            Ok((x, y.into_parts().0))
        };
        persistent |at, _, x, y| twice(ring(at)?.neighbor_allgatherv_init(x, y, &spread(at)?));
    }
}

pub struct NeighborAlltoallv;
impl Collective for NeighborAlltoallv {
    const NAME: &'static str = "neighbor_alltoallv";
    const USES: Uses = Uses::ELEMENTS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        let [down, up] = lengths(m.ranks, m.len, rank);
        [m.part(rank, 0, down), m.part(rank, 1, up)].concat()
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let [below, above] = around(m, rank);
        let (up, down) = (lengths(m.ranks, m.len, below)[1], lengths(m.ranks, m.len, above)[0]);
        Some([m.part(below, 1, up), m.part(above, 0, down)].concat())
    }
    forms! {
        returning |at, _, x| ring(at)?.neighbor_alltoallv(&x.with_counts(&given(at)?)).map(Some);
        into |at, _, x, y| {
            let (out, from) = (given(at)?, gotten(at)?);
            ring(at)?.neighbor_alltoallv_into(x.with_counts(&out), y.with_counts_mut(&from))
        };
        scope |at, _, x, y| {
            let (out, from) = (given(at)?, gotten(at)?);
            let (send, recv) = (x.with_counts(&out), y.with_counts_mut(&from));
            ring(at)?.scope(|s| s.ineighbor_alltoallv(send, recv)?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (send, recv) = (Counted::new(x, given(at)?), Counted::new(y, gotten(at)?));
            let (x, y) = ring(at)?.ineighbor_alltoallv(send, recv)?.wait()?;
            Ok((x.into_parts().0, y.into_parts().0))
        };
        persistent |at, _, x, y| twice(ring(at)?.neighbor_alltoallv_init(x, &given(at)?, y, &gotten(at)?));
    }
}

/// The same, each block a buffer of its own.
pub struct NeighborAlltoallw;
impl Collective for NeighborAlltoallw {
    const NAME: &'static str = "neighbor_alltoallw";
    const USES: Uses = Uses::ELEMENTS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        NeighborAlltoallv::give(m, rank)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        NeighborAlltoallv::get(m, rank)
    }
    forms! {
        returning |at, _, x| Ok(Some(ring(at)?.neighbor_alltoallw(given(at)?.split(x))?.concat()));
        into |at, _, x, y| {
            let mut recv = PartsMut::of(split_mut(&gotten(at)?, y))?;
            ring(at)?.neighbor_alltoallw_into(&Parts::of(given(at)?.split(x))?, &mut recv)
        };
        scope |at, _, x, y| {
            let out = given(at)?;
            let (send, mut recv) = (Parts::of(out.split(x))?, PartsMut::of(split_mut(&gotten(at)?, y))?);
            ring(at)?.scope(|s| s.ineighbor_alltoallw(&send, &mut recv)?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let apart = |all: Vec<T>, counts: Counts| counts.split(&all).map(<[T]>::to_vec).collect::<Vec<_>>();
            let (send, recv) = (apart(x, given(at)?), apart(y, gotten(at)?));
            let (x, y) = ring(at)?.ineighbor_alltoallw(send, recv)?.wait()?;
            Ok((x.concat(), y.concat()))
        };
        persistent |at, _, x, y| {
            let (ring, counts) = (ring(at)?, (&given(at)?, &gotten(at)?));
            twice_by_plan(&ring, (x, y), counts, |plan, out, into| plan.neighbor_alltoallw(out, into))
        };
    }
}
