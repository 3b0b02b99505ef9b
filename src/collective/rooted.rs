//! Equal blocks to or from a root: by `MPI_Scatter` and `MPI_Gather`, or block by block where the library's own lose elements
//! of structs (fault `scatter-torn`).
#![allow(unsafe_code)]

use super::agree::Terms;
use super::describe::{RootedBlocks, block};
use super::forms::{Described, Names};
use super::pairs::type_size;
use super::table::{GATHER, GATHERV, SCATTER, SCATTERV};
use super::vector::{Gatherv, Scatterv, Side};
use crate::buffer::{Counts, Region};
use crate::comm::Communicator;
use crate::environment::live;
use crate::error::Result;
use crate::ffi::{Call, MPI_Comm, MPI_Request};
use crate::quirks;
use crate::request::Kept;
use std::rc::Rc;

/// A message of so many bytes arrives in one piece.
const ONE_PIECE: u64 = 4096;

/// The library's own call, or the v form that stands for it. All ranks choose the same, by the bytes of a block.
pub(crate) enum Rooted<V> {
    Equal(RootedBlocks),
    Each { names: &'static Names, blocks: V, counts: Option<Rc<Counts>>, terms: Terms },
}

impl Rooted<Scatterv> {
    /// The root, and it alone, has `send`: a block for each, as long as `recv`.
    #[inline(always)]
    pub(crate) fn scatter(
        send: Option<Region>,
        recv: Region,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let equal = RootedBlocks::scatter(SCATTER, send, recv, root, comm)?;
        if !quirks::scatter_torn() || !is_torn(&SCATTER.names.now, recv, 1)? {
            return Ok(Rooted::Equal(equal));
        }
        let (side, counts) = equally(send, comm)?;
        let blocks = Scatterv::new(SCATTERV, side.map(|side| (side, recv.len)), recv, (root, comm))?;
        Ok(Rooted::Each { names: &SCATTER.names, blocks, counts, terms: equal.terms() })
    }

    /// The root's `buf` holds a block for each rank, its own in place; another's has room for its block.
    #[inline(always)]
    pub(crate) fn scatter_in_place(buf: Region, root: usize, comm: &Communicator) -> Result<Self> {
        let equal = RootedBlocks::scatter_in_place(SCATTER, buf, root, comm)?;
        let (all, own) = at(buf, root, comm);
        if !quirks::scatter_torn() || !is_torn(&SCATTER.names.now, own, 1)? {
            return Ok(Rooted::Equal(equal));
        }
        let (side, counts) = equally(all, comm)?;
        let blocks = Scatterv::in_place(SCATTERV, side, own, (root, comm))?;
        Ok(Rooted::Each { names: &SCATTER.names, blocks, counts, terms: equal.terms() })
    }
}

impl Rooted<Gatherv> {
    /// Every rank gives `send`; the root, and it alone, has `recv`: room for such a block from each.
    #[inline(always)]
    pub(crate) fn gather(
        send: Region,
        recv: Option<Region>,
        root: usize,
        comm: &Communicator,
    ) -> Result<Self> {
        let equal = RootedBlocks::gather(GATHER, send, recv, root, comm)?;
        if !quirks::scatter_torn() || !is_torn(&GATHER.names.now, send, comm.size())? {
            return Ok(Rooted::Equal(equal));
        }
        let (side, counts) = equally(recv, comm)?;
        let blocks = Gatherv::new(GATHERV, send, side.map(|side| (side, send.len)), (root, comm))?;
        Ok(Rooted::Each { names: &GATHER.names, blocks, counts, terms: equal.terms() })
    }

    /// The root's `buf` holds a block for each rank, its own in place; another's is its block.
    #[inline(always)]
    pub(crate) fn gather_in_place(buf: Region, root: usize, comm: &Communicator) -> Result<Self> {
        let equal = RootedBlocks::gather_in_place(GATHER, buf, root, comm)?;
        let (all, own) = at(buf, root, comm);
        if !quirks::scatter_torn() || !is_torn(&GATHER.names.now, own, comm.size())? {
            return Ok(Rooted::Equal(equal));
        }
        let (side, counts) = equally(all, comm)?;
        let blocks = Gatherv::in_place(GATHERV, own, side, (root, comm))?;
        Ok(Rooted::Each { names: &GATHER.names, blocks, counts, terms: equal.terms() })
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

/// Whether a message of `n` such blocks arrives in several pieces.
#[cold]
fn is_torn(call: Call, block: Region, n: usize) -> Result<bool> {
    live(call)?; // this asks MPI before the call that it is for
    if block.count == 0 {
        return Ok(false);
    }
    let blocks = (block.count as u64).saturating_mul(n as u64);
    Ok(blocks.saturating_mul(type_size(call, block.datatype.0)?) > ONE_PIECE)
}

impl<V: Described> Described for Rooted<V> {
    #[inline(always)]
    fn names(&self) -> &'static Names {
        match self {
            Rooted::Equal(equal) => equal.names(),
            Rooted::Each { names, .. } => names,
        }
    }
    #[inline(always)]
    unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Rooted::Equal(equal) => unsafe { equal.now(comm) },
            // SAFETY: this function's contract.
            Rooted::Each { blocks, .. } => unsafe { blocks.now(comm) },
        }
    }
    #[inline(always)]
    unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Rooted::Equal(equal) => unsafe { equal.start(comm, request) },
            // SAFETY: this function's contract; the counts are kept until completion (`kept`).
            Rooted::Each { blocks, .. } => unsafe { blocks.start(comm, request) },
        }
    }
    unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Rooted::Equal(equal) => unsafe { equal.init(comm, request) },
            // SAFETY: as above, until the request is freed.
            Rooted::Each { blocks, .. } => unsafe { blocks.init(comm, request) },
        }
    }
    #[inline(always)]
    fn terms(&self) -> Terms {
        match self {
            Rooted::Equal(equal) => equal.terms(),
            Rooted::Each { terms, .. } => *terms,
        }
    }
    #[inline(always)]
    fn kept(&self) -> Kept {
        match self {
            Rooted::Each { counts: Some(counts), .. } => Some(counts.clone()),
            _ => None,
        }
    }
}
