//! Neighbourhood collectives, on a ring and on grids of two dimensions: where a rank is its own neighbour, where one is the
//! neighbour on both sides, and where there is none.

use super::{apart, forms, split_mut, together, twice, twice_by_plan};
use crate::collective::Form::{Into, Owned, Persistent, Returning, Scope};
use crate::collective::{At, Both, Collective, Form, Uses};
use crate::model::{Model, Value, of, placed, varied};
use crate::shape::opposite;
use mpi::buffer::{Counted, Counts, Parts, PartsMut, WithCounts};
use mpi::op::Operation;
use mpi::topology::Cartesian;
use mpi::{AnyBits, Result};

const FORMS: &[Form] = &[Returning, Into, Scope, Owned, Persistent];

fn grid(at: At<'_>) -> Result<Cartesian> {
    let grid = at.comm.cartesian(&at.shape.dims(at.comm.size()), at.shape.periods(), false)?;
    Ok(grid.expect("every rank has a place"))
}

/// The neighbours of a rank, at its edges; `None` beyond an end.
struct Around {
    peers: Vec<Option<usize>>,
    rank: usize,
    len: usize,
}

impl Around {
    fn of<T>(m: &Model<T>, rank: usize) -> Self {
        Around { peers: m.shape.neighbors(m.ranks, rank), rank, len: m.len }
    }

    fn here(at: At<'_>) -> Self {
        let rank = at.comm.rank();
        Around { peers: at.shape.neighbors(at.comm.size(), rank), rank, len: at.len }
    }

    /// How many elements a rank gives at an edge.
    fn length(&self, rank: usize, edge: usize) -> usize {
        varied(self.len, rank + edge)
    }

    /// A count for each edge, of what the neighbour there gives at an edge of its own; of anything if there is none.
    fn counts(&self, given_at: impl Fn(usize) -> usize, what: &str) -> Counts {
        let count = |(edge, peer): (usize, &Option<usize>)| {
            peer.map_or(self.length(self.rank, edge), |peer| self.length(peer, given_at(edge)))
        };
        placed(&of(self.peers.iter().enumerate().map(count)), (self.len, self.rank, what))
    }

    /// What this rank gives each neighbour.
    fn out(&self) -> Counts {
        let lengths = (0..self.peers.len()).map(|edge| self.length(self.rank, edge));
        placed(&of(lengths), (self.len, self.rank, "out"))
    }

    /// What each neighbour gives this rank: what comes from below was sent upwards.
    fn back(&self) -> Counts {
        self.counts(opposite, "in")
    }

    /// What each neighbour gives everybody.
    fn spread(&self) -> Counts {
        self.counts(|_| 0, "spread")
    }

    /// What comes in at an edge: nothing from beyond an end.
    fn coming<T>(&self, edge: usize, given: impl Fn(usize) -> Vec<T>) -> Vec<T> {
        self.peers[edge].map_or(Vec::new(), given)
    }
}

/// What each neighbour gives, one after the other.
fn joined<T: Value>(m: &Model<T>, rank: usize, given: impl Fn(usize, usize) -> Vec<T>) -> Vec<T> {
    let around = Around::of(m, rank);
    (0..around.peers.len()).flat_map(|edge| around.coming(edge, |peer| given(peer, edge))).collect()
}

/// A block of equal length from each, in a buffer that is `before` what comes.
fn blocks<T: Value>(
    m: &Model<T>,
    rank: usize,
    before: impl FnOnce(usize) -> Vec<T>,
    given: impl Fn(usize, usize) -> Vec<T>,
) -> Option<Vec<T>> {
    let around = Around::of(m, rank);
    let counts = of(around.peers.iter().map(|_| m.len));
    Some(m.over(before(counts.total()), &counts, |edge| around.coming(edge, |peer| given(peer, edge))))
}

pub struct NeighborAllgather;
impl Collective for NeighborAllgather {
    const NAME: &'static str = "neighbor_allgather";
    const USES: Uses = Uses::NEIGHBORS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        blocks(m, rank, |len| vec![m.zero; len], |peer, _| m.block(peer, 0))
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        blocks(m, rank, |len| m.junk(len), |peer, _| m.block(peer, 0))
    }
    forms! {
        returning |at, _, x| grid(at)?.neighbor_allgather(x).map(Some);
        into |at, _, x, y| grid(at)?.neighbor_allgather_into(x, y);
        scope |at, _, x, y| grid(at)?.scope(|s| s.ineighbor_allgather(x, y)?.wait().map(drop));
        owned |at, _, x, y| Ok(grid(at)?.ineighbor_allgather(x, y)?.wait()?);
        persistent |at, _, x, y| twice(grid(at)?.neighbor_allgather_init(x, y));
    }
}

pub struct NeighborAlltoall;
impl Collective for NeighborAlltoall {
    const NAME: &'static str = "neighbor_alltoall";
    const USES: Uses = Uses::NEIGHBORS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        (0..Around::of(m, rank).peers.len()).flat_map(|edge| m.block(rank, edge)).collect()
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        blocks(m, rank, |len| vec![m.zero; len], |peer, edge| m.block(peer, opposite(edge)))
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        blocks(m, rank, |len| m.junk(len), |peer, edge| m.block(peer, opposite(edge)))
    }
    forms! {
        returning |at, _, x| grid(at)?.neighbor_alltoall(x).map(Some);
        into |at, _, x, y| grid(at)?.neighbor_alltoall_into(x, y);
        scope |at, _, x, y| grid(at)?.scope(|s| s.ineighbor_alltoall(x, y)?.wait().map(drop));
        owned |at, _, x, y| Ok(grid(at)?.ineighbor_alltoall(x, y)?.wait()?);
        persistent |at, _, x, y| twice(grid(at)?.neighbor_alltoall_init(x, y));
    }
}

pub struct NeighborAllgatherv;
impl Collective for NeighborAllgatherv {
    const NAME: &'static str = "neighbor_allgatherv";
    const USES: Uses = Uses::NEIGHBORS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.part(rank, 0, Around::of(m, rank).length(rank, 0))
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(joined(m, rank, |peer, _| Self::give(m, peer)))
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let around = Around::of(m, rank);
        Some(m.laid(&around.spread(), |edge| around.coming(edge, |peer| Self::give(m, peer))))
    }
    forms! {
        returning |at, _, x| grid(at)?.neighbor_allgatherv(x).map(Some);
        into |at, _, x, y| grid(at)?.neighbor_allgatherv_into(x, y.with_counts_mut(&Around::here(at).spread()));
        scope |at, _, x, y| {
            let counts = Around::here(at).spread();
            grid(at)?.scope(|s| s.ineighbor_allgatherv(x, y.with_counts_mut(&counts))?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (x, y) = grid(at)?.ineighbor_allgatherv(x, Counted::new(y, Around::here(at).spread()))?.wait()?;
            Ok((x, y.into_parts().0))
        };
        persistent |at, _, x, y| twice(grid(at)?.neighbor_allgatherv_init(x, y, &Around::here(at).spread()));
    }
}

/// What a rank gives at an edge.
fn sent<T: Value>(m: &Model<T>, rank: usize, edge: usize) -> Vec<T> {
    m.part(rank, edge, Around::of(m, rank).length(rank, edge))
}

pub struct NeighborAlltoallv;
impl Collective for NeighborAlltoallv {
    const NAME: &'static str = "neighbor_alltoallv";
    const USES: Uses = Uses::NEIGHBORS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.laid(&Around::of(m, rank).out(), |edge| sent(m, rank, edge))
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(joined(m, rank, |peer, edge| sent(m, peer, opposite(edge))))
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let around = Around::of(m, rank);
        Some(m.laid(&around.back(), |edge| around.coming(edge, |peer| sent(m, peer, opposite(edge)))))
    }
    forms! {
        returning |at, _, x| grid(at)?.neighbor_alltoallv(&x.with_counts(&Around::here(at).out())).map(Some);
        into |at, _, x, y| {
            let (out, from) = (Around::here(at).out(), Around::here(at).back());
            grid(at)?.neighbor_alltoallv_into(x.with_counts(&out), y.with_counts_mut(&from))
        };
        scope |at, _, x, y| {
            let (out, from) = (Around::here(at).out(), Around::here(at).back());
            let (send, recv) = (x.with_counts(&out), y.with_counts_mut(&from));
            grid(at)?.scope(|s| s.ineighbor_alltoallv(send, recv)?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (send, recv) = (Counted::new(x, Around::here(at).out()), Counted::new(y, Around::here(at).back()));
            let (x, y) = grid(at)?.ineighbor_alltoallv(send, recv)?.wait()?;
            Ok((x.into_parts().0, y.into_parts().0))
        };
        persistent |at, _, x, y| twice(grid(at)?.neighbor_alltoallv_init(x, &Around::here(at).out(), y, &Around::here(at).back()));
    }
}

/// The same, each block a buffer of its own.
pub struct NeighborAlltoallw;
impl Collective for NeighborAlltoallw {
    const NAME: &'static str = "neighbor_alltoallw";
    const USES: Uses = Uses::NEIGHBORS;
    const FORMS: &'static [Form] = FORMS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        NeighborAlltoallv::give(m, rank)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        NeighborAlltoallv::get(m, rank)
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        NeighborAlltoallv::filled(m, rank)
    }
    forms! {
        returning |at, _, x| Ok(Some(grid(at)?.neighbor_alltoallw(Around::here(at).out().split(x))?.concat()));
        into |at, _, x, y| {
            let mut recv = PartsMut::of(split_mut(&Around::here(at).back(), y))?;
            grid(at)?.neighbor_alltoallw_into(&Parts::of(Around::here(at).out().split(x))?, &mut recv)
        };
        scope |at, _, x, y| {
            let out = Around::here(at).out();
            let (send, mut recv) = (Parts::of(out.split(x))?, PartsMut::of(split_mut(&Around::here(at).back(), y))?);
            grid(at)?.scope(|s| s.ineighbor_alltoallw(&send, &mut recv)?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (out, back) = (Around::here(at).out(), Around::here(at).back());
            let (sent, got) = grid(at)?.ineighbor_alltoallw(apart(&out, &x), apart(&back, &y))?.wait()?;
            Ok((together(&out, x, &sent), together(&back, y, &got)))
        };
        persistent |at, _, x, y| {
            let (grid, counts) = (grid(at)?, (&Around::here(at).out(), &Around::here(at).back()));
            twice_by_plan(&grid, (x, y), counts, |plan, out, into| plan.neighbor_alltoallw(out, into))
        };
    }
}
