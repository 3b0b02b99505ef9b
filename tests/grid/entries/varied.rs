//! Blocks of any length, in any order, with gaps between them.

use super::{apart, forms, on_one_array, sections, split_mut, together, twice, twice_by_plan};
use crate::collective::{At, Both, Collective, Uses};
use crate::model::{Model, Value, between, laid_out, placed};
use mpi::buffer::{Counted, Counts, Parts, PartsMut, WithCounts};
use mpi::op::Operation;
use mpi::{AnyBits, Result};

/// What this rank gets from each, or gives to each.
fn all(at: At<'_>) -> Counts {
    laid_out(at.comm.size(), at.len, at.comm.rank())
}

/// Where a rank has as much for each other as comes back from it.
fn outgoing(ranks: usize, len: usize, rank: usize) -> Counts {
    placed(&between(ranks, len, rank), (len, rank, "out"))
}

/// Where it gets that.
fn incoming(ranks: usize, len: usize, rank: usize) -> Counts {
    placed(&between(ranks, len, rank), (len, rank, "in"))
}

fn out(at: At<'_>) -> Counts {
    outgoing(at.comm.size(), at.len, at.comm.rank())
}

fn back(at: At<'_>) -> Counts {
    incoming(at.comm.size(), at.len, at.comm.rank())
}

/// What a rank gives everybody.
fn given<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
    m.part(rank, 0, m.counts().get(rank))
}

/// What everybody gives, where `rank` has it.
fn collected<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
    m.laid(&laid_out(m.ranks, m.len, rank), |from| given(m, from))
}

/// Its own part of that, the others' still to come.
fn own_part<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
    let own = |from| if from == rank { given(m, rank) } else { Vec::new() };
    m.laid(&laid_out(m.ranks, m.len, rank), own)
}

pub struct Gatherv;
impl Collective for Gatherv {
    const NAME: &'static str = "gatherv";
    const USES: Uses = Uses::ROOT;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        given(m, rank)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank == m.root).then(|| (0..m.ranks).flat_map(|from| given(m, from)).collect())
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank == m.root).then(|| collected(m, rank))
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { own_part(m, rank) } else { given(m, rank) }
    }
    forms! {
        returning |at, _, x| at.comm.gatherv(x, at.root);
        into |at, _, x, y| {
            let counts = all(at);
            at.comm.gatherv_into(x, at.root_only(y.with_counts_mut(&counts)), at.root)
        };
        in_place |at, _, x| at.comm.gatherv_in_place(x, at.root_only(&all(at)), at.root);
        scope_in_place |at, _, x| {
            let counts = all(at);
            at.comm.scope(|s| s.igatherv_in_place(x, at.root_only(&counts), at.root)?.wait().map(drop))
        };
        scope |at, _, x, y| {
            let counts = all(at);
            let recv = at.root_only(y.with_counts_mut(&counts));
            at.comm.scope(|s| s.igatherv(x, recv, at.root)?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let recv = at.root_only(Counted::new(y, all(at)));
            let (x, y) = at.comm.igatherv(x, recv, at.root)?.wait()?;
            Ok((x, y.map(|y| y.into_parts().0).unwrap_or_default()))
        };
        persistent |at, _, x, y| {
            let counts = all(at);
            twice(at.comm.gatherv_init(x, at.root_only((y, &counts)), at.root))
        };
        owned_in_place |at, _, x| {
            Ok(at.comm.igatherv_in_place(x, at.root_only(&all(at)), at.root)?.wait()?)
        };
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| {
            plan.gatherv_in_place(id, at.root_only(&all(at)), at.root)
        });
    }
}

pub struct Scatterv;
impl Collective for Scatterv {
    const NAME: &'static str = "scatterv";
    const USES: Uses = Uses::ROOT;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        let block = |to| m.part(rank, to, m.counts().get(to));
        if rank == m.root { m.laid(&laid_out(m.ranks, m.len, rank), block) } else { Vec::new() }
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(m.part(m.root, rank, m.counts().get(rank)))
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { Self::give(m, rank) } else { m.junk(m.counts().get(rank)) }
    }
    fn after<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { Self::give(m, rank) } else { m.part(m.root, rank, m.counts().get(rank)) }
    }
    forms! {
        returning |at, _, x| {
            let counts = all(at);
            at.comm.scatterv(at.root_only(x.with_counts(&counts)).as_ref(), at.root).map(Some)
        };
        into |at, _, x, y| at.comm.scatterv_into(at.root_only(x.with_counts(&all(at))), y, at.root);
        in_place |at, _, x| at.comm.scatterv_in_place(x, at.root_only(&all(at)), at.root);
        scope_in_place |at, _, x| {
            let counts = all(at);
            at.comm.scope(|s| s.iscatterv_in_place(x, at.root_only(&counts), at.root)?.wait().map(drop))
        };
        scope |at, _, x, y| {
            let counts = all(at);
            let send = at.root_only(x.with_counts(&counts));
            at.comm.scope(|s| s.iscatterv(send, y, at.root)?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let send = at.root_only(Counted::new(x, all(at)));
            let (x, y) = at.comm.iscatterv(send, y, at.root)?.wait()?;
            Ok((x.map(|x| x.into_parts().0).unwrap_or_default(), y))
        };
        persistent |at, _, x, y| {
            let counts = all(at);
            twice(at.comm.scatterv_init(at.root_only((x, &counts)), y, at.root))
        };
        owned_in_place |at, _, x| {
            Ok(at.comm.iscatterv_in_place(x, at.root_only(&all(at)), at.root)?.wait()?)
        };
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| {
            plan.scatterv_in_place(id, at.root_only(&all(at)), at.root)
        });
    }
}

pub struct Allgatherv;
impl Collective for Allgatherv {
    const NAME: &'static str = "allgatherv";
    const USES: Uses = Uses::ELEMENTS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        given(m, rank)
    }
    fn get<T: Value>(m: &Model<T>, _: usize) -> Option<Vec<T>> {
        Some((0..m.ranks).flat_map(|from| given(m, from)).collect())
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(collected(m, rank))
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        own_part(m, rank)
    }
    forms! {
        returning |at, _, x| at.comm.allgatherv(x).map(Some);
        into |at, _, x, y| at.comm.allgatherv_into(x, y.with_counts_mut(&all(at)));
        in_place |at, _, x| at.comm.allgatherv_in_place(x.with_counts_mut(&all(at)));
        scope |at, _, x, y| {
            let counts = all(at);
            at.comm.scope(|s| s.iallgatherv(x, y.with_counts_mut(&counts))?.wait().map(drop))
        };
        scope_in_place |at, _, x| {
            let counts = all(at);
            at.comm.scope(|s| s.iallgatherv_in_place(x.with_counts_mut(&counts))?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (x, y) = at.comm.iallgatherv(x, Counted::new(y, all(at)))?.wait()?;
            Ok((x, y.into_parts().0))
        };
        persistent |at, _, x, y| twice(at.comm.allgatherv_init(x, y, &all(at)));
        owned_in_place |at, _, x| {
            Ok(at.comm.iallgatherv_in_place(Counted::new(x, all(at)))?.wait()?.into_parts().0)
        };
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| plan.allgatherv_in_place(id, &all(at)));
    }
}

/// Each pair of ranks exchanges as much as it gets, so that it can be done in place.
pub struct Alltoallv;
impl Collective for Alltoallv {
    const NAME: &'static str = "alltoallv";
    const USES: Uses = Uses::ELEMENTS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        let counts = outgoing(m.ranks, m.len, rank);
        m.laid(&counts, |to| m.part(rank, to, counts.get(to)))
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let counts = incoming(m.ranks, m.len, rank);
        Some((0..m.ranks).flat_map(|from| m.part(from, rank, counts.get(from))).collect())
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let counts = incoming(m.ranks, m.len, rank);
        Some(m.laid(&counts, |from| m.part(from, rank, counts.get(from))))
    }
    fn after<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        let counts = outgoing(m.ranks, m.len, rank);
        m.laid(&counts, |from| m.part(from, rank, counts.get(from)))
    }
    forms! {
        returning |at, _, x| at.comm.alltoallv(&x.with_counts(&out(at))).map(Some);
        into |at, _, x, y| {
            at.comm.alltoallv_into(x.with_counts(&out(at)), y.with_counts_mut(&back(at)))
        };
        in_place |at, _, x| at.comm.alltoallv_in_place(x.with_counts_mut(&out(at)));
        scope |at, _, x, y| {
            let (out, back) = (out(at), back(at));
            let (send, recv) = (x.with_counts(&out), y.with_counts_mut(&back));
            at.comm.scope(|s| s.ialltoallv(send, recv)?.wait().map(drop))
        };
        scope_in_place |at, _, x| {
            let counts = out(at);
            at.comm.scope(|s| s.ialltoallv_in_place(x.with_counts_mut(&counts))?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (send, recv) = (Counted::new(x, out(at)), Counted::new(y, back(at)));
            let (x, y) = at.comm.ialltoallv(send, recv)?.wait()?;
            Ok((x.into_parts().0, y.into_parts().0))
        };
        persistent |at, _, x, y| twice(at.comm.alltoallv_init(x, &out(at), y, &back(at)));
        owned_in_place |at, _, x| {
            Ok(at.comm.ialltoallv_in_place(Counted::new(x, out(at)))?.wait()?.into_parts().0)
        };
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| plan.alltoallv_in_place(id, &out(at)));
    }
}

/// The same, each block a buffer of its own.
pub struct Alltoallw;
impl Collective for Alltoallw {
    const NAME: &'static str = "alltoallw";
    const USES: Uses = Uses::ELEMENTS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        Alltoallv::give(m, rank)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Alltoallv::get(m, rank)
    }
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Alltoallv::filled(m, rank)
    }
    fn after<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        Alltoallv::after(m, rank)
    }
    forms! {
        returning |at, _, x| Ok(Some(at.comm.alltoallw(out(at).split(x))?.concat()));
        into |at, _, x, y| {
            at.comm.alltoallw_into(&Parts::of(out(at).split(x))?, &mut PartsMut::of(split_mut(&back(at), y))?)
        };
        in_place |at, _, x| at.comm.alltoallw_in_place(&mut PartsMut::of(split_mut(&out(at), x))?);
        scope |at, _, x, y| {
            let out = out(at);
            let (send, mut recv) = (Parts::of(out.split(x))?, PartsMut::of(split_mut(&back(at), y))?);
            at.comm.scope(|s| s.ialltoallw(&send, &mut recv)?.wait().map(drop))
        };
        scope_in_place |at, _, x| {
            let mut both = PartsMut::of(split_mut(&out(at), x))?;
            at.comm.scope(|s| s.ialltoallw_in_place(&mut both)?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (out, back) = (out(at), back(at));
            let (sent, got) = at.comm.ialltoallw(apart(&out, &x), apart(&back, &y))?.wait()?;
            Ok((together(&out, x, &sent), together(&back, y, &got)))
        };
        persistent |at, _, x, y| {
            twice_by_plan(at.comm, (x, y), (&out(at), &back(at)), |plan, out, into| plan.alltoallw(out, into))
        };
        owned_in_place |at, _, x| {
            let counts = out(at);
            let pending = at.comm.ialltoallw_in_place(apart(&counts, &x))?;
            Ok(together(&counts, x, &pending.wait()?))
        };
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| {
            plan.alltoallw_in_place(sections(id, &out(at)))
        });
    }
}
