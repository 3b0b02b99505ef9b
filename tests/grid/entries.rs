//! The collectives.

use crate::collective::Form::{InPlace, Into, Owned, Scope, ScopeInPlace};
use crate::collective::{At, Both, Collective, Form, Uses};
use crate::model::{Model, Value};
use mpi::op::Operation;
use mpi::{AnyBits, Result};

pub struct Barrier;
impl Collective for Barrier {
    const NAME: &'static str = "barrier";
    const USES: Uses = Uses::NOTHING;
    const FORMS: &'static [Form] = &[Into, Scope, Owned];
    fn give<T: Value>(_: &Model<T>, _: usize) -> Vec<T> {
        Vec::new()
    }
    fn get<T: Value>(_: &Model<T>, _: usize) -> Option<Vec<T>> {
        None
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, _: &[T], _: &mut [T]) -> Result<()> {
        at.comm.barrier()
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, _: &[T], _: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.ibarrier()?.wait())
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, both: Both<T>) -> Result<Both<T>> {
        at.comm.ibarrier()?.wait()?;
        Ok(both)
    }
}

pub struct Bcast;
impl Collective for Bcast {
    const NAME: &'static str = "bcast";
    const USES: Uses = Uses::ROOT;
    const FORMS: &'static [Form] = &[InPlace, ScopeInPlace, Owned];
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, _: usize) -> Option<Vec<T>> {
        Some(m.block(m.root, 0))
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.bcast(buf, at.root)
    }
    fn scope_in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.ibcast(buf, at.root)?.wait().map(|_| ()))
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, both: Both<T>) -> Result<Both<T>> {
        let sent = both.0.clone();
        Ok((sent, at.comm.ibcast(both.0, at.root)?.wait()?))
    }
}

pub struct Gather;
impl Collective for Gather {
    const NAME: &'static str = "gather";
    const USES: Uses = Uses::ROOT;
    const FORMS: &'static [Form] = &[Form::Returning, Into, InPlace, Scope, Owned];
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank == m.root).then(|| m.column(0))
    }
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        if rank == m.root { own_in_place(m, rank) } else { m.block(rank, 0) }
    }
    fn returning<T: Value, O: Operation<T>>(at: At<'_>, _: O, send: &[T]) -> Result<Option<Vec<T>>> {
        at.comm.gather(send, at.root)
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.gather_into(x, at.root_only(y), at.root)
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.gather_in_place(buf, at.root)
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.igather(x, at.root_only(y), at.root)?.wait().map(|_| ()))
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, (x, y): Both<T>) -> Result<Both<T>> {
        let (x, y) = at.comm.igather(x, at.root_only(y), at.root)?.wait()?;
        Ok((x, y.unwrap_or_default()))
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
    fn returning<T: Value, O: Operation<T>>(at: At<'_>, _: O, send: &[T]) -> Result<Option<Vec<T>>> {
        at.comm.allgather(send).map(Some)
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.allgather_into(x, y)
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.allgather_in_place(buf)
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.iallgather(x, y)?.wait().map(|_| ()))
    }
    fn scope_in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.iallgather_in_place(buf)?.wait().map(|_| ()))
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, (x, y): Both<T>) -> Result<Both<T>> {
        Ok(at.comm.iallgather(x, y)?.wait()?)
    }
}

pub struct Scatter;
impl Collective for Scatter {
    const NAME: &'static str = "scatter";
    const USES: Uses = Uses::ROOT;
    const FORMS: &'static [Form] = &[Form::Returning, Into, InPlace, Scope, Owned];
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
    fn returning<T: Value, O: Operation<T>>(at: At<'_>, _: O, send: &[T]) -> Result<Option<Vec<T>>> {
        at.comm.scatter(at.root_only(send), at.root).map(Some)
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.scatter_into(at.root_only(x), y, at.root)
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.scatter_in_place(buf, at.root)
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.iscatter(at.root_only(x), y, at.root)?.wait().map(|_| ()))
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, (x, y): Both<T>) -> Result<Both<T>> {
        let (x, y) = at.comm.iscatter(at.root_only(x), y, at.root)?.wait()?;
        Ok((x.unwrap_or_default(), y))
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
    fn returning<T: Value, O: Operation<T>>(at: At<'_>, _: O, send: &[T]) -> Result<Option<Vec<T>>> {
        at.comm.alltoall(send).map(Some)
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.alltoall_into(x, y)
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.alltoall_in_place(buf)
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.ialltoall(x, y)?.wait().map(|_| ()))
    }
    fn scope_in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, buf: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.ialltoall_in_place(buf)?.wait().map(|_| ()))
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, _: O, (x, y): Both<T>) -> Result<Both<T>> {
        Ok(at.comm.ialltoall(x, y)?.wait()?)
    }
}

pub struct Reduce;
impl Collective for Reduce {
    const NAME: &'static str = "reduce";
    const USES: Uses = Uses::ALL;
    const FORMS: &'static [Form] = &[Form::Returning, Into, InPlace, Scope, Owned];
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        m.block(rank, 0)
    }
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        (rank == m.root).then(|| m.combined(0..m.ranks, 0))
    }
    fn returning<T: Value, O: Operation<T>>(at: At<'_>, op: O, send: &[T]) -> Result<Option<Vec<T>>> {
        at.comm.reduce(send, op, at.root)
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.reduce_into(x, at.root_only(y), op, at.root)
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, buf: &mut [T]) -> Result<()> {
        at.comm.reduce_in_place(buf, op, at.root)
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.ireduce(x, at.root_only(y), op, at.root)?.wait().map(|_| ()))
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, (x, y): Both<T>) -> Result<Both<T>> {
        let (x, y) = at.comm.ireduce(x, at.root_only(y), op, at.root)?.wait()?;
        Ok((x, y.unwrap_or_default()))
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
    fn returning<T: Value, O: Operation<T>>(at: At<'_>, op: O, send: &[T]) -> Result<Option<Vec<T>>> {
        at.comm.allreduce(send, op).map(Some)
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.allreduce_into(x, y, op)
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, buf: &mut [T]) -> Result<()> {
        at.comm.allreduce_in_place(buf, op)
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, x: &[T], y: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.iallreduce(x, y, op)?.wait().map(|_| ()))
    }
    fn scope_in_place<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, buf: &mut [T]) -> Result<()> {
        at.comm.scope(|s| s.iallreduce_in_place(buf, op)?.wait().map(|_| ()))
    }
    fn owned<T: Value + AnyBits, O: Operation<T>>(at: At<'_>, op: O, (x, y): Both<T>) -> Result<Both<T>> {
        Ok(at.comm.iallreduce(x, y, op)?.wait()?)
    }
}

/// A block for each rank, the others' still to come.
fn own_in_place<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
    let mut all = m.junk(m.len * m.ranks);
    all[rank * m.len..][..m.len].copy_from_slice(&m.block(rank, 0));
    all
}
