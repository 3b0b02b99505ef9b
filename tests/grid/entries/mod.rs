//! The collectives: who gives and gets what, and one line for each form.

mod equal;
mod neighbors;
mod reductions;
mod varied;

pub use equal::{Allgather, Alltoall, Barrier, Bcast, Gather, Scatter};
pub use neighbors::{
    NeighborAllgather, NeighborAllgatherv, NeighborAlltoall, NeighborAlltoallv, NeighborAlltoallw,
};
pub use reductions::{Allreduce, Exscan, Reduce, ReduceScatter, ReduceScatterBlock, Scan};
pub use varied::{Allgatherv, Alltoallv, Alltoallw, Gatherv, Scatterv};

use crate::collective::Both;
use crate::model::{Model, Value};
use mpi::buffer::Counts;
use mpi::persistent::{ArrayId, PersistentCollective, Plan};
use mpi::{AnyBits, Communicator, Error, Result};
use std::ops::Range;

/// The methods of `Collective` for the forms there are: `form |at, op, buffers…| call;`.
macro_rules! forms {
    ($($form:ident |$($parameter:tt),+| $call:expr;)+) => { $(forms!(@$form $($parameter)+ $call);)+ };
    (@returning $at:tt $op:tt $x:tt $call:expr) => {
        fn returning<T: Value, O: Operation<T>>($at: At<'_>, $op: O, $x: &[T]) -> Result<Option<Vec<T>>> { $call }
    };
    (@into $($rest:tt)+) => { forms!(@apart into $($rest)+); };
    (@scope $($rest:tt)+) => { forms!(@apart scope $($rest)+); };
    (@apart $name:ident $at:tt $op:tt $x:tt $y:tt $call:expr) => {
        fn $name<T: Value + AnyBits, O: Operation<T>>($at: At<'_>, $op: O, $x: &[T], $y: &mut [T]) -> Result<()> { $call }
    };
    (@in_place $($rest:tt)+) => { forms!(@in_one in_place $($rest)+); };
    (@scope_in_place $($rest:tt)+) => { forms!(@in_one scope_in_place $($rest)+); };
    (@in_one $name:ident $at:tt $op:tt $x:tt $call:expr) => {
        fn $name<T: Value + AnyBits, O: Operation<T>>($at: At<'_>, $op: O, $x: &mut [T]) -> Result<()> { $call }
    };
    (@owned $($rest:tt)+) => { forms!(@back owned $($rest)+); };
    (@owned_in_place $($rest:tt)+) => { forms!(@one_back owned_in_place $($rest)+); };
    (@plan_in_place $($rest:tt)+) => { forms!(@one_back plan_in_place $($rest)+); };
    (@one_back $name:ident $at:tt $op:tt $x:tt $call:expr) => {
        fn $name<T: Value + AnyBits, O: Operation<T>>($at: At<'_>, $op: O, $x: Vec<T>) -> Result<Vec<T>> { $call }
    };
    (@persistent $($rest:tt)+) => { forms!(@back persistent $($rest)+); };
    (@back $name:ident $at:tt $op:tt $x:tt $y:tt $call:expr) => {
        fn $name<T: Value + AnyBits, O: Operation<T>>($at: At<'_>, $op: O, ($x, $y): Both<T>) -> Result<Both<T>> { $call }
    };
}
use forms;

/// A block for each rank, the others' still to come.
fn own_in_place<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
    let mut all = m.junk(m.len * m.ranks);
    all[rank * m.len..][..m.len].copy_from_slice(&m.block(rank, 0));
    all
}

/// Started twice, on the same input.
fn twice<T: AnyBits, E>(made: Result<PersistentCollective<'_, T>, E>) -> Result<Both<T>>
where
    Error: From<E>,
{
    let mut collective = made?;
    collective.start()?.wait()?;
    collective.start()?.wait()?;
    collective.into_inner()
}

/// One array of a plan, on which a collective in place is started twice, with the same input.
fn on_one_array<T: Value + AnyBits>(
    comm: &Communicator,
    input: Vec<T>,
    add: impl for<'p, 'c> FnOnce(&'p mut Plan<'c>, ArrayId<T>) -> Result<&'p mut Plan<'c>>,
) -> Result<Vec<T>> {
    let mut plan = Plan::new(comm);
    let both = plan.array(input.clone());
    add(&mut plan, both)?;
    plan.start()?.wait()?;
    let first = plan.get(both)?.to_vec();
    plan.get_mut(both)?.copy_from_slice(&input);
    plan.start()?.wait()?;
    let second = plan.take(both)?;
    assert_eq!(first, second);
    Ok(second)
}

/// The same by a plan, whose sections are the blocks.
fn twice_by_plan<T: AnyBits>(
    comm: &Communicator,
    (x, y): Both<T>,
    counts: (&Counts, &Counts),
    add: impl for<'p, 'c> FnOnce(&'p mut Plan<'c>, Sections<T>, Sections<T>) -> Result<&'p mut Plan<'c>>,
) -> Result<Both<T>> {
    let mut plan = Plan::new(comm);
    let (out, into) = (plan.array(x), plan.array(y));
    let (send, recv) = (sections(out, counts.0), sections(into, counts.1));
    add(&mut plan, send, recv)?;
    plan.start()?.wait()?;
    plan.start()?.wait()?;
    Ok((plan.take(out)?, plan.take(into)?))
}
type Sections<T> = Vec<(ArrayId<T>, Range<usize>)>;

/// The blocks of an array. An empty one may be said to lie beyond its end, which a plan takes for a mistake.
fn sections<T>(id: ArrayId<T>, counts: &Counts) -> Sections<T> {
    let ranges = (0..counts.len()).map(|i| counts.range(i));
    ranges.map(|range| (id, if range.is_empty() { 0..0 } else { range })).collect()
}

/// The blocks of a buffer, apart from each other.
fn apart<T: Copy>(counts: &Counts, all: &[T]) -> Vec<Vec<T>> {
    counts.split(all).map(<[T]>::to_vec).collect()
}

/// Such blocks, again where they were.
fn together<T: Copy>(counts: &Counts, mut all: Vec<T>, blocks: &[Vec<T>]) -> Vec<T> {
    split_mut(counts, &mut all).into_iter().zip(blocks).for_each(|(to, from)| to.copy_from_slice(from));
    all
}

/// The blocks of a buffer, to be written.
fn split_mut<'a, T>(counts: &Counts, mut all: &'a mut [T]) -> Vec<&'a mut [T]> {
    let mut blocks: Vec<&'a mut [T]> = (0..counts.len()).map(|_| &mut [][..]).collect();
    let mut order: Vec<usize> = (0..counts.len()).filter(|&i| counts.get(i) > 0).collect();
    order.sort_by_key(|&i| counts.range(i).start);
    let mut taken = 0;
    for i in order {
        let (range, mut take) = (counts.range(i), |n| all.split_off_mut(..n).expect("blocks are apart"));
        take(range.start - taken);
        (blocks[i], taken) = (take(range.len()), range.end);
    }
    blocks
}
