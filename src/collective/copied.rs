//! Exchanges in place that send from a copy: Open MPI's nonblocking and persistent ones hang, get out of step or mix blocks up
//! (faults `ialltoallv-in-place`, `ialltoallw-in-place`).
#![allow(unsafe_code)]
#![allow(clippy::unnecessary_cast, reason = "`MPI_Aint` is an `isize` with one library and not with another")]

use crate::buffer::{Fitted, Region, Table};
use crate::comm::Communicator;
use crate::datatype::RawDatatype;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use crate::pack::{PackedByte, packed_size};
use std::cell::Cell;
use std::os::raw::{c_int, c_void};

/// Whether they do.
pub(crate) const SENDS_COPIES: bool = cfg!(mpi_abi = "openmpi");

const PACK: Call = &"MPI_Pack";

/// What parts of any types and layouts hold, packed: a part like each of them.
pub(crate) struct Copied {
    pub(crate) table: Table,
    /// A vector, which MPI's pointers into it survive when this moves.
    bytes: Vec<Cell<u8>>,
    /// Where each part ends in them.
    ends: Box<[usize]>,
}

impl Copied {
    /// # Safety
    /// The memory of the parts may be read.
    pub(crate) unsafe fn of(parts: &Table, comm: &Communicator) -> Result<Self> {
        let mut table = Table::new(parts.limit())?; // MPI is live from here on
        let mut end = 0;
        let ends = parts.parts().map(|(_, elements)| {
            // What Open MPI says is exact.
            end += packed_size(elements.count, RawDatatype(elements.datatype), comm.raw())?;
            Ok(end)
        });
        let ends = ends.collect::<Result<Box<[usize]>>>()?;
        let bytes = vec![Cell::new(0); end];
        for part in pieces(&bytes, &ends) {
            table.push::<PackedByte>(Region::contiguous(part.as_ptr().cast::<PackedByte>(), part.len()))?;
        }
        let copied = Copied { table, bytes, ends };
        // SAFETY: this function's contract.
        unsafe { copied.refresh(parts, comm)? };
        Ok(copied)
    }

    /// Copies again what the same parts hold.
    ///
    /// # Safety
    /// Their memory may be read, and MPI is not reading the copy.
    pub(crate) unsafe fn refresh(&self, parts: &Table, comm: &Communicator) -> Result<()> {
        for (piece, (displ, elements)) in pieces(&self.bytes, &self.ends).zip(parts.parts()) {
            let from = parts.base().wrapping_byte_offset(displ as isize);
            // SAFETY: this function's contract.
            unsafe { pack(from, &elements, piece, comm)? };
        }
        Ok(())
    }
}

/// The part of each.
fn pieces<'a>(bytes: &'a [Cell<u8>], ends: &'a [usize]) -> impl Iterator<Item = &'a [Cell<u8>]> {
    let starts = std::iter::once(&0).chain(ends);
    starts.zip(ends).map(|(&start, &end)| &bytes[start..end])
}

/// # Safety
/// The elements may be read.
unsafe fn pack(from: *const c_void, elements: &Fitted, into: &[Cell<u8>], comm: &Communicator) -> Result<()> {
    let (room, mut at) = (into.len() as c_int, 0); // what `packed_size` gave
    let into = into.as_ptr().cast_mut().cast();
    let &Fitted { count, datatype, .. } = elements;
    // SAFETY: this function's contract; as much room as MPI has asked for.
    check(PACK, unsafe { ffi::MPI_Pack(from, count, datatype, into, room, &raw mut at, comm.raw()) })
}
