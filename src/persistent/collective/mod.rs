//! Collectives in a plan: one function adds any of them ([`Plan::add_collective`]); what each is comes from its description
//! (`crate::collective`).
#![allow(unsafe_code)]

mod blocks;
mod neighbors;
mod reductions;
mod varied;

use super::array::{ArrayId, Exclusive};
use super::block::Block;
use super::operation::{self, Operation};
use super::plan::Plan;
use crate::buffer::{Region, Table};
use crate::collective::copied::Copied;
use crate::collective::forms::{Described, Names, both};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype};
use crate::environment::live;
use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::{self, Call};
use crate::request::Kept;
use std::fmt;
use std::rc::Rc;

/// Whether the library's persistent collectives give wrong results: MPICH before 4.2, told by what came with it. Measured with
/// 4.0.2: `MPI_Gather_init` on one rank and on two, `MPI_Allgather_init` on one (`tests/faults/persistent_gather.c`).
const WRONG: bool = cfg!(all(mpi_abi = "mpich", not(mpi_has = "MPI_Buffer_iflush")));
const GIVES_WRONG_RESULTS: &str =
    "persistent collectives of MPICH before 4.2 give wrong results; use the nonblocking ones";

/// What a collective of a plan sends or receives: an array, or a block of one.
///
/// Made from an [`ArrayId`], or from an id and what a [`Block`] is made from: `(id, 10..20)`.
pub struct Section<T, A = Exclusive> {
    id: ArrayId<T, A>,
    block: Option<Block>,
}

impl<T, A> From<ArrayId<T, A>> for Section<T, A> {
    fn from(id: ArrayId<T, A>) -> Self {
        Section { id, block: None }
    }
}
impl<T, A, B: Into<Block>> From<(ArrayId<T, A>, B)> for Section<T, A> {
    fn from((id, block): (ArrayId<T, A>, B)) -> Self {
        Section { id, block: Some(block.into()) }
    }
}
impl<T, A> fmt::Debug for Section<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Section").field("id", &self.id).field("block", &self.block).finish()
    }
}

/// A section that was checked against what the plan does already.
pub(super) struct Used {
    array: usize,
    block: Block,
    /// Its memory.
    pub(super) region: Region,
}

impl Used {
    fn meets(&self, other: &Used) -> bool {
        self.array == other.array && self.block.meets(&other.block)
    }
}

/// A persistent collective: what it is called, which arrays it uses, and what MPI needs besides them.
pub(super) struct Collective {
    names: &'static Names,
    arrays: Box<[usize]>,
    _kept: Kept,
    /// What is sent from a copy, and the copy.
    copied: Option<Rc<(Copied, Table)>>,
}

impl Collective {
    pub(super) fn operation(&self) -> &'static crate::scope::Operation {
        &self.names.init
    }
    pub(super) fn uses(&self, array: usize) -> bool {
        self.arrays.contains(&array)
    }
    pub(super) fn copies(&self) -> bool {
        self.copied.is_some()
    }
}

impl<H> Plan<'_, H> {
    /// What is sent, in one piece: it overlaps nothing that is received.
    fn sent<T: Datatype, A>(&self, names: &'static Names, section: Section<T, A>) -> Result<Used> {
        in_one_piece(names.init.call(), self.sent_spread(names, section)?)
    }

    /// What is received into, in one piece: it overlaps nothing that is sent or received.
    fn received<T: AnyBits>(&self, names: &'static Names, section: Section<T>) -> Result<Used> {
        in_one_piece(names.init.call(), self.received_spread(names, section)?)
    }

    /// What is sent, of any layout.
    fn sent_spread<T: Datatype, A>(
        &self,
        names: &'static Names,
        section: Section<T, A>,
    ) -> Result<(Used, bool)> {
        self.used(names, section, |array, call, block| array.not_received(call, block))
    }

    /// What is received into, of any layout.
    fn received_spread<T: AnyBits>(
        &self,
        names: &'static Names,
        section: Section<T>,
    ) -> Result<(Used, bool)> {
        self.used(names, section, |array, call, block| array.not_used(call, block))
    }

    /// A section's memory, and whether it is in one piece.
    fn used<T: Datatype, A>(
        &self,
        names: &'static Names,
        Section { id, block }: Section<T, A>,
        is_free: impl Fn(&super::Array, Call, &Block) -> Result<()>,
    ) -> Result<(Used, bool)> {
        let call = names.init.call();
        self.complete()?;
        let array = self.find(call, id)?;
        let block = block.unwrap_or_else(|| array.whole());
        let place = array.place(call, &block)?;
        is_free(array, call, &block)?;
        let region = operation::region::<T>(array, place)?;
        Ok((Used { array: id.index, block, region }, place.is_contiguous()))
    }

    /// Adds a collective of one section, where what comes out takes the place of what goes in.
    ///
    /// # Safety
    /// What `describe` makes reads and writes its region alone, and is otherwise as
    /// [`add_collective`](Plan::add_collective) wants it.
    unsafe fn add_in_place<T: AnyBits, D: Described>(
        &mut self,
        names: &'static Names,
        both: Section<T>,
        kept: Kept,
        describe: impl FnOnce(Region, &Communicator) -> Result<D>,
    ) -> Result<&mut Self> {
        let both = self.received(names, both)?;
        let described = describe(both.region, self.comm);
        // SAFETY: this function's contract.
        unsafe { self.add_collective(names, Vec::new(), vec![both], kept, described) }
    }

    /// That the operation that was added last sends from a copy.
    fn copy_at_start(&mut self, copied: Rc<(Copied, Table)>) {
        if let Some(Operation::Collective(collective)) = self.operations.last_mut() {
            collective.copied = Some(copied);
            self.copying += 1;
        }
    }

    /// Copies what is sent from copies. The plan is idle.
    #[cold]
    pub(super) fn copy(&self) -> Result<()> {
        self.operations.iter().try_for_each(|operation| match operation {
            Operation::Collective(Collective { copied: Some(copied), .. }) => {
                // SAFETY: the sections are in arrays that stay until the operation is gone, and nobody writes there or reads the
                // copy while the plan is idle.
                unsafe { copied.0.refresh(&copied.1, self.comm) }
            }
            _ => Ok(()),
        })
    }

    /// Makes the request of a collective, and reserves what it uses.
    ///
    /// # Safety
    /// What is described reads `sent` and writes `received` alone, was checked against the plan's communicator, and needs
    /// nothing else that may go away but for what is `kept`.
    unsafe fn add_collective<D: Described>(
        &mut self,
        names: &'static Names,
        sent: Vec<Used>,
        received: Vec<Used>,
        kept: Kept,
        described: Result<D>,
    ) -> Result<&mut Self> {
        let call = names.init.call();
        self.has_room(call)?;
        for (i, written) in received.iter().enumerate() {
            if sent.iter().chain(&received[..i]).any(|other| other.meets(written)) {
                return Err(Error::length(call, Argument::PairOverlap, written.array, 0));
            }
        }
        let described = described.map_err(|error| error.renamed(names.now(), call))?;
        live(call)?;
        if WRONG {
            return Err(Error::unsupported(call, Needs::Fault(&GIVES_WRONG_RESULTS)));
        }
        let mut handle = ffi::MPI_REQUEST_NULL;
        // SAFETY: the sections are in arrays that stay until no request refers to them; what is received overlaps no other
        // block, and blocks are used only while the plan is idle but for views that overlap none of them; the rest is this
        // function's contract.
        unsafe { described.init(self.comm.raw(), &raw mut handle) }?;
        let arrays = sent.iter().chain(&received).map(|used| used.array).collect();
        let kept = both(kept, described.kept());
        self.push(handle, Operation::Collective(Collective { names, arrays, _kept: kept, copied: None }));
        for used in sent {
            self.array_mut(used.array).add_send(used.block);
        }
        for used in received {
            self.array_mut(used.array).add_receive(used.block);
        }
        Ok(self)
    }
}

/// The section, if its elements are one after the other: a block of whole rows, or of one row.
fn in_one_piece(call: Call, (used, is_contiguous): (Used, bool)) -> Result<Used> {
    if is_contiguous {
        return Ok(used);
    }
    Err(Error::length(call, Argument::BlockSpread, used.block.rows.len(), used.block.cols.len()))
}
