//! Reductions.

use super::{forms, on_one_array, twice};
use crate::collective::{At, Both, Collective, Uses};
use crate::model::{Model, Value, counts};
use mpi::op::Operation;
use mpi::{AnyBits, Result};

pub struct Reduce;
impl Collective for Reduce {
    const NAME: &'static str = "reduce";
    const USES: Uses = Uses::ALL;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank == m.root).then(|| m.combined(0..m.ranks, 0))
    }
    forms! {
        returning |at, op, x| at.comm.reduce(x, op, at.root);
        into |at, op, x, y| at.comm.reduce_into(x, at.root_only(y), op, at.root);
        in_place |at, op, x| at.comm.reduce_in_place(x, op, at.root);
        scope_in_place |at, op, x| at.comm.scope(|s| s.ireduce_in_place(x, op, at.root)?.wait().map(drop));
        scope |at, op, x, y| at.comm.scope(|s| s.ireduce(x, at.root_only(y), op, at.root)?.wait().map(drop));
        owned |at, op, x, y| {
            let (x, y) = at.comm.ireduce(x, at.root_only(y), op, at.root)?.wait()?;
            Ok((x, y.unwrap_or_default()))
        };
        persistent |at, op, x, y| twice(at.comm.reduce_init(x, at.root_only(y), op, at.root));
        owned_in_place |at, op, x| Ok(at.comm.ireduce_in_place(x, op, at.root)?.wait()?);
        plan_in_place |at, op, x| on_one_array(at.comm, x, |plan, id| plan.reduce_in_place(id, op, at.root));
    }
}

pub struct Allreduce;
impl Collective for Allreduce {
    const NAME: &'static str = "allreduce";
    const USES: Uses = Uses::OP;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, _: usize) -> Option<Vec<T>> {
        Some(m.combined(0..m.ranks, 0))
    }
    forms! {
        returning |at, op, x| at.comm.allreduce(x, op).map(Some);
        into |at, op, x, y| at.comm.allreduce_into(x, y, op);
        in_place |at, op, x| at.comm.allreduce_in_place(x, op);
        scope |at, op, x, y| at.comm.scope(|s| s.iallreduce(x, y, op)?.wait().map(drop));
        scope_in_place |at, op, x| at.comm.scope(|s| s.iallreduce_in_place(x, op)?.wait().map(drop));
        owned |at, op, x, y| Ok(at.comm.iallreduce(x, y, op)?.wait()?);
        persistent |at, op, x, y| twice(at.comm.allreduce_init(x, y, op));
        owned_in_place |at, op, x| Ok(at.comm.iallreduce_in_place(x, op)?.wait()?);
        plan_in_place |at, op, x| on_one_array(at.comm, x, |plan, id| plan.allreduce_in_place(id, op));
    }
}

pub struct Scan;
impl Collective for Scan {
    const NAME: &'static str = "scan";
    const USES: Uses = Uses::OP;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(m.combined(0..=rank, 0))
    }
    forms! {
        returning |at, op, x| at.comm.scan(x, op).map(Some);
        into |at, op, x, y| at.comm.scan_into(x, y, op);
        in_place |at, op, x| at.comm.scan_in_place(x, op);
        scope |at, op, x, y| at.comm.scope(|s| s.iscan(x, y, op)?.wait().map(drop));
        scope_in_place |at, op, x| at.comm.scope(|s| s.iscan_in_place(x, op)?.wait().map(drop));
        owned |at, op, x, y| Ok(at.comm.iscan(x, y, op)?.wait()?);
        persistent |at, op, x, y| twice(at.comm.scan_init(x, y, op));
        owned_in_place |at, op, x| Ok(at.comm.iscan_in_place(x, op)?.wait()?);
        plan_in_place |at, op, x| on_one_array(at.comm, x, |plan, id| plan.scan_in_place(id, op));
    }
}

/// The first rank's buffer stays as it was.
pub struct Exscan;
impl Collective for Exscan {
    const NAME: &'static str = "exscan";
    const USES: Uses = Uses::OP;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank > 0).then(|| m.combined(0..rank, 0))
    }
    fn unused<T: Value>(m: &Model<T>) -> usize {
        m.len
    }
    forms! {
        returning |at, op, x| at.comm.exscan(x, op);
        into |at, op, x, y| at.comm.exscan_into(x, y, op);
        in_place |at, op, x| at.comm.exscan_in_place(x, op);
        scope |at, op, x, y| at.comm.scope(|s| s.iexscan(x, y, op)?.wait().map(drop));
        scope_in_place |at, op, x| at.comm.scope(|s| s.iexscan_in_place(x, op)?.wait().map(drop));
        owned |at, op, x, y| Ok(at.comm.iexscan(x, y, op)?.wait()?);
        persistent |at, op, x, y| twice(at.comm.exscan_init(x, y, op));
        owned_in_place |at, op, x| Ok(at.comm.iexscan_in_place(x, op)?.wait()?);
        plan_in_place |at, op, x| on_one_array(at.comm, x, |plan, id| plan.exscan_in_place(id, op));
    }
}

pub struct ReduceScatterBlock;
impl Collective for ReduceScatterBlock {
    const NAME: &'static str = "reduce_scatter_block";
    const USES: Uses = Uses::OP;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.blocks(rank)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Some(m.combined(0..m.ranks, rank))
    }
    forms! {
        returning |at, op, x| at.comm.reduce_scatter_block(x, op).map(Some);
        into |at, op, x, y| at.comm.reduce_scatter_block_into(x, y, op);
        in_place |at, op, x| at.comm.reduce_scatter_block_in_place(x, op).map(drop);
        scope |at, op, x, y| at.comm.scope(|s| s.ireduce_scatter_block(x, y, op)?.wait().map(drop));
        scope_in_place |at, op, x| at.comm.scope(|s| s.ireduce_scatter_block_in_place(x, op)?.wait().map(drop));
        owned |at, op, x, y| Ok(at.comm.ireduce_scatter_block(x, y, op)?.wait()?);
        persistent |at, op, x, y| twice(at.comm.reduce_scatter_block_init(x, y, op));
        owned_in_place |at, op, x| Ok(at.comm.ireduce_scatter_block_in_place(x, op)?.wait()?);
        plan_in_place |at, op, x| on_one_array(at.comm, x, |plan, id| plan.reduce_scatter_block_in_place(id, op));
    }
}

pub struct ReduceScatter;
impl Collective for ReduceScatter {
    const NAME: &'static str = "reduce_scatter";
    const USES: Uses = Uses::OP;
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        (0..m.counts().total()).map(|place| (m.value)(rank, place)).collect()
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        let parts = (0..m.ranks).map(|from| Self::give(m, from)[m.counts().range(rank)].to_vec());
        m.folded(parts)
    }
    forms! {
        returning |at, op, x| at.comm.reduce_scatter(x, &counts(at.comm.size(), at.len), op).map(Some);
        into |at, op, x, y| at.comm.reduce_scatter_into(x, y, &counts(at.comm.size(), at.len), op);
        in_place |at, op, x| at.comm.reduce_scatter_in_place(x, &counts(at.comm.size(), at.len), op).map(drop);
        scope |at, op, x, y| {
            let counts = counts(at.comm.size(), at.len);
            at.comm.scope(|s| s.ireduce_scatter(x, y, &counts, op)?.wait().map(drop))
        };
        scope_in_place |at, op, x| {
            let counts = counts(at.comm.size(), at.len);
            at.comm.scope(|s| s.ireduce_scatter_in_place(x, &counts, op)?.wait().map(drop))
        };
        owned |at, op, x, y| Ok(at.comm.ireduce_scatter(x, y, &counts(at.comm.size(), at.len), op)?.wait()?);
        persistent |at, op, x, y| twice(at.comm.reduce_scatter_init(x, y, &counts(at.comm.size(), at.len), op));
        owned_in_place |at, op, x| Ok(at.comm.ireduce_scatter_in_place(x, &counts(at.comm.size(), at.len), op)?.wait()?);
        plan_in_place |at, op, x| on_one_array(at.comm, x, |plan, id| plan.reduce_scatter_in_place(id, &counts(at.comm.size(), at.len), op));
    }
}
