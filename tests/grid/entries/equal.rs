//! Blocks of equal length.

use super::{forms, on_one_array, own_in_place, twice};
use crate::collective::Form::{
    InPlace, Into, Owned, OwnedInPlace, Persistent, PersistentInPlace, Returning, Scope, ScopeInPlace,
};
use crate::collective::{At, Both, Collective, Form, Uses};
use crate::model::{Model, Value};
use mpi::op::Operation;
use mpi::{AnyBits, Result};

pub struct Barrier;
impl Collective for Barrier {
    const NAME: &'static str = "barrier";
    const USES: Uses = Uses::NOTHING;
    const FORMS: &'static [Form] = &[Into, Scope, Owned, Persistent];
    fn give<T: Value>(_: &Model<T>, _: usize) -> Vec<T> {
        Vec::new()
    }
    fn get<T: Value>(_: &Model<T>, _: usize) -> Option<Vec<T>> {
        None
    }
    forms! {
        into |at, _, _, _| at.comm.barrier();
        scope |at, _, _, _| at.comm.scope(|s| s.ibarrier()?.wait());
        owned |at, _, x, y| at.comm.ibarrier()?.wait().map(|()| (x, y)).map_err(mpi::Error::from);
        persistent |at, _, x, y| twice(at.comm.barrier_init()).map(|_| (x, y));
    }
}

pub struct Bcast;
impl Collective for Bcast {
    const NAME: &'static str = "bcast";
    const USES: Uses = Uses::ROOT;
    const FORMS: &'static [Form] = &[Returning, InPlace, ScopeInPlace, OwnedInPlace, PersistentInPlace];
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, _: usize) -> Option<Vec<T>> {
        Some(m.block(m.root, 0))
    }
    forms! {
        returning |at, _, x| {
            let all = at.comm.bcast_vec(at.root_only(x), at.root)?;
            let first = at.root_only(x.first()).flatten();
            if !x.is_empty() {
                assert_eq!(at.comm.bcast_value(first, at.root)?, all[0]);
            }
            Ok(Some(all))
        };
        in_place |at, _, x| at.comm.bcast(x, at.root);
        scope_in_place |at, _, x| at.comm.scope(|s| s.ibcast(x, at.root)?.wait().map(drop));
        owned_in_place |at, _, x| Ok(at.comm.ibcast(x, at.root)?.wait()?);
        plan_in_place |at, _, x| {
            let made = on_one_array(at.comm, x.clone(), |plan, id| plan.bcast(id, at.root))?;
            assert_eq!(twice(at.comm.bcast_init(x, at.root))?.1, made);
            Ok(made)
        };
    }
}

pub struct Gather;
impl Collective for Gather {
    const NAME: &'static str = "gather";
    const USES: Uses = Uses::ROOT;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank == m.root).then(|| m.column(0))
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { own_in_place(m, rank) } else { m.block(rank, 0) }
    }
    forms! {
        returning |at, _, x| at.comm.gather(x, at.root);
        into |at, _, x, y| at.comm.gather_into(x, at.root_only(y), at.root);
        in_place |at, _, x| at.comm.gather_in_place(x, at.root);
        scope_in_place |at, _, x| at.comm.scope(|s| s.igather_in_place(x, at.root)?.wait().map(drop));
        scope |at, _, x, y| at.comm.scope(|s| s.igather(x, at.root_only(y), at.root)?.wait().map(drop));
        owned |at, _, x, y| {
            let (x, y) = at.comm.igather(x, at.root_only(y), at.root)?.wait()?;
            Ok((x, y.unwrap_or_default()))
        };
        persistent |at, _, x, y| twice(at.comm.gather_init(x, at.root_only(y), at.root));
        owned_in_place |at, _, x| Ok(at.comm.igather_in_place(x, at.root)?.wait()?);
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| plan.gather_in_place(id, at.root));
    }
}

pub struct Allgather;
impl Collective for Allgather {
    const NAME: &'static str = "allgather";
    const USES: Uses = Uses::ELEMENTS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, _: usize) -> Option<Vec<T>> {
        Some(m.column(0))
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        own_in_place(m, rank)
    }
    forms! {
        returning |at, _, x| at.comm.allgather(x).map(Some);
        into |at, _, x, y| at.comm.allgather_into(x, y);
        in_place |at, _, x| at.comm.allgather_in_place(x);
        scope |at, _, x, y| at.comm.scope(|s| s.iallgather(x, y)?.wait().map(drop));
        scope_in_place |at, _, x| at.comm.scope(|s| s.iallgather_in_place(x)?.wait().map(drop));
        owned |at, _, x, y| Ok(at.comm.iallgather(x, y)?.wait()?);
        persistent |at, _, x, y| twice(at.comm.allgather_init(x, y));
        owned_in_place |at, _, x| Ok(at.comm.iallgather_in_place(x)?.wait()?);
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| plan.allgather_in_place(id));
    }
}

pub struct Scatter;
impl Collective for Scatter {
    const NAME: &'static str = "scatter";
    const USES: Uses = Uses::ROOT;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { m.blocks(rank) } else { Vec::new() }
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(m.block(m.root, rank))
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { m.blocks(rank) } else { m.junk(m.len) }
    }
    fn after<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { m.blocks(rank) } else { m.block(m.root, rank) }
    }
    forms! {
        returning |at, _, x| at.comm.scatter(at.root_only(x), at.root).map(Some);
        into |at, _, x, y| at.comm.scatter_into(at.root_only(x), y, at.root);
        in_place |at, _, x| at.comm.scatter_in_place(x, at.root);
        scope_in_place |at, _, x| at.comm.scope(|s| s.iscatter_in_place(x, at.root)?.wait().map(drop));
        scope |at, _, x, y| at.comm.scope(|s| s.iscatter(at.root_only(x), y, at.root)?.wait().map(drop));
        owned |at, _, x, y| {
            let (x, y) = at.comm.iscatter(at.root_only(x), y, at.root)?.wait()?;
            Ok((x.unwrap_or_default(), y))
        };
        persistent |at, _, x, y| twice(at.comm.scatter_init(at.root_only(x), y, at.root));
        owned_in_place |at, _, x| Ok(at.comm.iscatter_in_place(x, at.root)?.wait()?);
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| plan.scatter_in_place(id, at.root));
    }
}

pub struct Alltoall;
impl Collective for Alltoall {
    const NAME: &'static str = "alltoall";
    const USES: Uses = Uses::ELEMENTS;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.blocks(rank)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(m.column(rank))
    }
    forms! {
        returning |at, _, x| at.comm.alltoall(x).map(Some);
        into |at, _, x, y| at.comm.alltoall_into(x, y);
        in_place |at, _, x| at.comm.alltoall_in_place(x);
        scope |at, _, x, y| at.comm.scope(|s| s.ialltoall(x, y)?.wait().map(drop));
        scope_in_place |at, _, x| at.comm.scope(|s| s.ialltoall_in_place(x)?.wait().map(drop));
        owned |at, _, x, y| Ok(at.comm.ialltoall(x, y)?.wait()?);
        persistent |at, _, x, y| twice(at.comm.alltoall_init(x, y));
        owned_in_place |at, _, x| Ok(at.comm.ialltoall_in_place(x)?.wait()?);
        plan_in_place |at, _, x| on_one_array(at.comm, x, |plan, id| plan.alltoall_in_place(id));
    }
}
