//! Equal blocks to or from a root: by `MPI_Scatter` and `MPI_Gather`, or block by block where the library's own lose elements
//! of structs (fault `scatter-torn`).
#![allow(unsafe_code)]

use super::agree::Terms;
use super::describe::{RootedBlocks, block};
use super::forms::{Described, Names};
use super::table::{GATHER, GATHERV, SCATTER, SCATTERV};
use super::vector::{Gatherv, Scatterv, Side};
use crate::buffer::{Counts, Region};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::Result;
use crate::ffi::{MPI_Comm, MPI_Request};
use crate::quirks;
use crate::request::Kept;
use std::rc::Rc;

/// The library's own call, or the v form that stands for it. Ranks choose by the type of their elements alone: if lengths
/// mattered, ranks that disagree on them would make different calls, and wait for ever.
pub(crate) enum Rooted<V> {
    Equal(RootedBlocks),
    /// Boxed, so that what is usual stays in registers.
    Each(Box<Each<V>>),
}

/// What stands for a library's call.
pub(crate) struct Each<V> {
    names: &'static Names,
    blocks: V,
    counts: Option<Rc<Counts>>,
    terms: Terms,
}

impl<V> Rooted<V> {
    /// The library's call, or what `each` makes to stand for it.
    #[inline(always)]
    fn new<T: Datatype>(
        equal: RootedBlocks,
        names: &'static Names,
        each: impl FnOnce() -> Result<(V, Option<Rc<Counts>>)>,
    ) -> Result<Self> {
        if !T::PARTS.may_be_mixed() || !quirks::scatter_torn() {
            return Ok(Rooted::Equal(equal));
        }
        Self::stand_in(names, equal.terms(), each)
    }

    #[cold]
    fn stand_in(
        names: &'static Names,
        terms: Terms,
        each: impl FnOnce() -> Result<(V, Option<Rc<Counts>>)>,
    ) -> Result<Self> {
        let (blocks, counts) = each()?;
        Ok(Rooted::Each(Box::new(Each { names, blocks, counts, terms })))
    }
}

impl Rooted<Scatterv> {
    /// The root, and it alone, has `send`: a block for each, as long as `recv`.
    #[inline(always)]
    pub(crate) fn scatter<T: Datatype>(
        send: Option<Region>,
        recv: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let equal = RootedBlocks::scatter(SCATTER, send, recv, root, comm)?;
        Self::new::<T>(equal, &SCATTER.names, move || {
            let (side, counts) = equally(send, comm)?;
            let side = side.map(|side| (side, recv.len));
            Ok((Scatterv::new(SCATTERV, side, recv, (root, comm))?, counts))
        })
    }

    /// The root's `buf` holds a block for each rank, its own in place; another's has room for its block.
    #[inline(always)]
    pub(crate) fn scatter_in_place<T: Datatype>(
        buf: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let equal = RootedBlocks::scatter_in_place(SCATTER, buf, root, comm)?;
        let (all, own) = at(buf, root, comm);
        Self::new::<T>(equal, &SCATTER.names, move || {
            let (side, counts) = equally(all, comm)?;
            Ok((Scatterv::in_place(SCATTERV, side, own, (root, comm))?, counts))
        })
    }
}

impl Rooted<Gatherv> {
    /// Every rank gives `send`; the root, and it alone, has `recv`: room for such a block from each.
    #[inline(always)]
    pub(crate) fn gather<T: Datatype>(
        send: Region,
        recv: Option<Region>,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let equal = RootedBlocks::gather(GATHER, send, recv, root, comm)?;
        Self::new::<T>(equal, &GATHER.names, move || {
            let (side, counts) = equally(recv, comm)?;
            let side = side.map(|side| (side, send.len));
            Ok((Gatherv::new(GATHERV, send, side, (root, comm))?, counts))
        })
    }

    /// The root's `buf` holds a block for each rank, its own in place; another's is its block.
    #[inline(always)]
    pub(crate) fn gather_in_place<T: Datatype>(
        buf: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let equal = RootedBlocks::gather_in_place(GATHER, buf, root, comm)?;
        let (all, own) = at(buf, root, comm);
        Self::new::<T>(equal, &GATHER.names, move || {
            let (side, counts) = equally(all, comm)?;
            Ok((Gatherv::in_place(GATHERV, own, side, (root, comm))?, counts))
        })
    }
}

/// All blocks, which the root alone has, and this rank's own.
fn at(buf: Region, root: usize, comm: &Communicator) -> (Option<Region>, Region) {
    if comm.rank() == root { (Some(buf), block(buf, comm.size())) } else { (None, buf) }
}

/// The root's memory with a block for each rank, and the counts that describe it.
#[cold]
fn equally(all: Option<Region>, comm: &Communicator) -> Result<(Option<Side>, Option<Rc<Counts>>)> {
    let block = all.map(|all| block(all, comm.size()));
    let counts = block.map(|block| Counts::new(&vec![block.count; comm.size()])).transpose()?.map(Rc::new);
    let side = block.zip(counts.as_deref()).map(|(block, counts)| Side::of_units(block, counts));
    Ok((side, counts))
}

impl<V: Described> Described for Rooted<V> {
    #[inline(always)]
    fn names(&self) -> &'static Names {
        match self {
            Rooted::Equal(equal) => equal.names(),
            Rooted::Each(each) => each.names,
        }
    }
    #[inline(always)]
    unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Rooted::Equal(equal) => unsafe { equal.now(comm) },
            // SAFETY: this function's contract.
            Rooted::Each(each) => unsafe { each.blocks.now(comm) },
        }
    }
    #[inline(always)]
    unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Rooted::Equal(equal) => unsafe { equal.start(comm, request) },
            // SAFETY: this function's contract; the counts are kept until completion (`kept`).
            Rooted::Each(each) => unsafe { each.blocks.start(comm, request) },
        }
    }
    unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Rooted::Equal(equal) => unsafe { equal.init(comm, request) },
            // SAFETY: as above, until the request is freed.
            Rooted::Each(each) => unsafe { each.blocks.init(comm, request) },
        }
    }
    #[inline(always)]
    fn terms(&self) -> Terms {
        match self {
            Rooted::Equal(equal) => equal.terms(),
            Rooted::Each(each) => each.terms,
        }
    }
    #[inline(always)]
    fn kept(&self) -> Kept {
        match self {
            Rooted::Equal(_) => None,
            Rooted::Each(each) => Some(each.counts.clone()? as Rc<dyn std::any::Any>),
        }
    }
}
