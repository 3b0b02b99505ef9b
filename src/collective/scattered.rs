//! Equal blocks dealt out: by `MPI_Scatter`, or block by block where the library's own loses elements of structs (fault
//! `scatter-torn`).
#![allow(unsafe_code)]

use super::agree::Terms;
use super::describe::{RootedBlocks, block};
use super::forms::{Described, Names};
use super::pairs::type_size;
use super::table::{SCATTER, SCATTERV};
use super::vector::{Scatterv, Side};
use crate::buffer::{Counts, Region};
use crate::comm::Communicator;
use crate::environment::live;
use crate::error::Result;
use crate::ffi::{MPI_Comm, MPI_Request};
use crate::quirks;
use crate::request::Kept;
use std::rc::Rc;

/// A block of so many bytes arrives in one piece.
const ONE_PIECE: u64 = 4096;

/// `MPI_Scatter`, or what stands for it. All ranks choose the same, by the bytes of a block.
pub(crate) enum Scattered {
    Equal(RootedBlocks),
    Each { blocks: Scatterv, counts: Option<Rc<Counts>>, terms: Terms },
}

impl Scattered {
    /// The root, and it alone, has `send`: a block for each, as long as `recv`.
    #[inline(always)]
    pub(crate) fn new(send: Option<Region>, recv: Region, root: usize, comm: &Communicator) -> Result<Self> {
        let equal = RootedBlocks::scatter(SCATTER, send, recv, root, comm)?;
        if quirks::scatter_torn() && is_torn(recv)? {
            return Self::each(equal.terms(), send, recv, (root, comm), false);
        }
        Ok(Scattered::Equal(equal))
    }

    /// The root's `buf` holds a block for each rank, its own in place; another's has room for its block.
    #[inline(always)]
    pub(crate) fn in_place(buf: Region, root: usize, comm: &Communicator) -> Result<Self> {
        let equal = RootedBlocks::scatter_in_place(SCATTER, buf, root, comm)?;
        if quirks::scatter_torn() {
            let is_root = comm.rank() == root;
            let own = if is_root { block(buf, comm.size()) } else { buf };
            if is_torn(own)? {
                return Self::each(equal.terms(), is_root.then_some(buf), own, (root, comm), true);
            }
        }
        Ok(Scattered::Equal(equal))
    }

    #[cold]
    fn each(
        terms: Terms,
        send: Option<Region>,
        recv: Region,
        (root, comm): (usize, &Communicator),
        in_place: bool,
    ) -> Result<Self> {
        let ranks = comm.size();
        let block = send.map(|all| block(all, ranks));
        let counts = block.map(|block| Counts::new(&vec![block.count; ranks])).transpose()?.map(Rc::new);
        let side = block.zip(counts.as_deref()).map(|(block, counts)| Side::of_units(block, counts));
        let blocks = match in_place {
            true => Scatterv::in_place(SCATTERV, side, recv, (root, comm))?,
            false => Scatterv::new(SCATTERV, side.map(|side| (side, recv.len)), recv, (root, comm))?,
        };
        Ok(Scattered::Each { blocks, counts, terms })
    }
}

/// Whether a block of as many bytes arrives in several pieces.
#[cold]
fn is_torn(block: Region) -> Result<bool> {
    let call = SCATTER.names.now();
    live(call)?; // this asks MPI before the call that it is for
    Ok(block.count > 0 && (block.count as u64).saturating_mul(type_size(call, block.datatype.0)?) > ONE_PIECE)
}

impl Described for Scattered {
    #[inline(always)]
    fn names(&self) -> &'static Names {
        &SCATTER.names
    }
    #[inline(always)]
    unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Scattered::Equal(equal) => unsafe { equal.now(comm) },
            // SAFETY: this function's contract.
            Scattered::Each { blocks, .. } => unsafe { blocks.now(comm) },
        }
    }
    #[inline(always)]
    unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Scattered::Equal(equal) => unsafe { equal.start(comm, request) },
            // SAFETY: this function's contract.
            Scattered::Each { blocks, .. } => unsafe { blocks.start(comm, request) },
        }
    }
    unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Scattered::Equal(equal) => unsafe { equal.init(comm, request) },
            // SAFETY: this function's contract.
            Scattered::Each { blocks, .. } => unsafe { blocks.init(comm, request) },
        }
    }
    #[inline(always)]
    fn terms(&self) -> Terms {
        match self {
            Scattered::Equal(equal) => equal.terms(),
            Scattered::Each { terms, .. } => *terms,
        }
    }
    #[inline(always)]
    fn kept(&self) -> Kept {
        match self {
            Scattered::Each { counts: Some(counts), .. } => Some(counts.clone()),
            _ => None,
        }
    }
}
