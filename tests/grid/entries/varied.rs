//! Blocks of any length.

use super::{forms, on_one_array, twice, twice_by_plan};
use crate::collective::{At, Both, Collective, Uses};
use crate::model::{Model, Value, between, counts};
use mpi::buffer::{Counted, Counts, Parts, PartsMut, WithCounts};
use mpi::op::Operation;
use mpi::{AnyBits, ErrorClass, Result};

/// How many elements each rank gives, or gets.
fn all(at: At<'_>) -> Counts {
    counts(at.comm.size(), at.len)
}

/// How many go from this rank to each other, and come back.
fn mutual(at: At<'_>) -> Counts {
    between(at.comm.size(), at.len, at.comm.rank())
}

pub struct Gatherv;
impl Collective for Gatherv {
    const NAME: &'static str = "gatherv";
    const USES: Uses = Uses::ROOT;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.part(rank, 0, m.counts().get(rank))
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank == m.root).then(|| (0..m.ranks).flat_map(|from| Self::give(m, from)).collect())
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { m.own_part(rank) } else { Self::give(m, rank) }
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
        let whole = |to| m.part(rank, to, m.counts().get(to));
        if rank == m.root { (0..m.ranks).flat_map(whole).collect() } else { Vec::new() }
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
        m.part(rank, 0, m.counts().get(rank))
    }
    fn get<T: Value>(m: &Model<T>, _: usize) -> Option<Vec<T>> {
        Some((0..m.ranks).flat_map(|from| Self::give(m, from)).collect())
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.own_part(rank)
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
        let counts = between(m.ranks, m.len, rank);
        (0..m.ranks).flat_map(|to| m.part(rank, to, counts.get(to))).collect()
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let counts = between(m.ranks, m.len, rank);
        Some((0..m.ranks).flat_map(|from| m.part(from, rank, counts.get(from))).collect())
    }
    forms! {
        returning |at, _, x| at.comm.alltoallv(&x.with_counts(&mutual(at))).map(Some);
        into |at, _, x, y| {
            let counts = mutual(at);
            at.comm.alltoallv_into(x.with_counts(&counts), y.with_counts_mut(&counts))
        };
        in_place |at, _, x| at.comm.alltoallv_in_place(x.with_counts_mut(&mutual(at)));
        scope |at, _, x, y| {
            let counts = mutual(at);
            let (send, recv) = (x.with_counts(&counts), y.with_counts_mut(&counts));
            at.comm.scope(|s| s.ialltoallv(send, recv)?.wait().map(drop))
        };
        scope_in_place |at, _, x| {
            let counts = mutual(at);
            at.comm.scope(|s| s.ialltoallv_in_place(x.with_counts_mut(&counts))?.wait().map(drop))
        };
        owned |at, _, x, y| {
            let (send, recv) = (Counted::new(x, mutual(at)), Counted::new(y, mutual(at)));
            let (x, y) = at.comm.ialltoallv(send, recv)?.wait()?;
            Ok((x.into_parts().0, y.into_parts().0))
        };
        persistent |at, _, x, y| twice(at.comm.alltoallv_init(x, &mutual(at), y, &mutual(at)));
        owned_in_place |at, _, x| {
            Ok(at.comm.ialltoallv_in_place(Counted::new(x, mutual(at)))?.wait()?.into_parts().0)
        };
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| plan.alltoallv_in_place(id, &mutual(at)));
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
    forms! {
        returning |at, _, x| Ok(Some(at.comm.alltoallw(mutual(at).split(x))?.concat()));
        into |at, _, x, y| {
            let counts = mutual(at);
            at.comm.alltoallw_into(&Parts::of(counts.split(x))?, &mut PartsMut::of(split_mut(&counts, y))?)
        };
        in_place |at, _, x| at.comm.alltoallw_in_place(&mut PartsMut::of(split_mut(&mutual(at), x))?);
        scope |at, _, x, y| {
            let counts = mutual(at);
            let (send, mut recv) = (Parts::of(counts.split(x))?, PartsMut::of(split_mut(&counts, y))?);
            at.comm.scope(|s| s.ialltoallw(&send, &mut recv)?.wait().map(drop))
        };
        scope_in_place |at, _, x| {
            let mut both = PartsMut::of(split_mut(&mutual(at), x))?;
            match at.comm.scope(|s| s.ialltoallw_in_place(&mut both)?.wait().map(drop)) {
                // Open MPI's is refused (fault `ialltoallw-in-place`): nothing was started.
                Err(e) if e.class() == ErrorClass::UNSUPPORTED_OPERATION => at.comm.alltoallw_in_place(&mut both),
                done => done,
            }
        };
        owned |at, _, x, y| {
            let apart = |all: Vec<T>| mutual(at).split(&all).map(<[T]>::to_vec).collect::<Vec<_>>();
            let (x, y) = at.comm.ialltoallw(apart(x), apart(y))?.wait()?;
            Ok((x.concat(), y.concat()))
        };
        persistent |at, _, x, y| {
            let counts = mutual(at);
            twice_by_plan(at.comm, (x, y), (&counts, &counts), |plan, out, into| plan.alltoallw(out, into))
        };
        owned_in_place |at, _, x| {
            let (mut x, counts) = (x, mutual(at));
            let apart = counts.split(&x).map(<[T]>::to_vec).collect::<Vec<_>>();
            match at.comm.ialltoallw_in_place(apart) {
                Ok(pending) => Ok(pending.wait()?.concat()),
                // As in a scope; the parts have come back.
                Err(e) if e.error.class() == ErrorClass::UNSUPPORTED_OPERATION => {
                    assert_eq!(e.data.concat(), x);
                    at.comm.alltoallw_in_place(&mut PartsMut::of(split_mut(&counts, &mut x))?).map(|()| x)
                }
                Err(e) => Err(e.into()),
            }
        };
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| {
            let counts = mutual(at);
            plan.alltoallw_in_place((0..counts.len()).map(|i| (id, counts.range(i))))
        });
    }
}

pub fn split_mut<'a, T>(counts: &Counts, mut all: &'a mut [T]) -> Vec<&'a mut [T]> {
    let mut take = |n| all.split_off_mut(..n).expect("counts add up");
    counts.to_vec().into_iter().map(&mut take).collect()
}
