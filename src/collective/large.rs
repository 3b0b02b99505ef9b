//! V forms whose counts no `int` holds, with libraries that have no functions for them: `MPI_Alltoallw`, whose types hold
//! any count.
//!
//! All ranks of a call must make the same one, so this is only for those of which all ranks know whether it is due: their
//! counts are the same everywhere, or were told to everybody. The others are `Err(Unsupported)`.
#![allow(unsafe_code)]

use super::parted::Parted;
use super::table::{ALLGATHERV, ALLTOALLV, ALLTOALLW};
use super::vector::Side;
use crate::buffer::{Blocks, BlocksMut, Counts, FARTHEST, Region, SendBuf, Table};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype};
use crate::error::{Argument, Result};
use crate::request::BlocksLoan;
use std::os::raw::c_int;

/// Whether blocks of so many elements in all go by `MPI_Alltoallw`. `wide` are the functions for large counts.
#[inline(always)]
pub(super) fn is_due<T: Datatype, W>(wide: Option<&W>, total: usize) -> bool {
    wide.is_none() && is_beyond::<T>(total, FARTHEST)
}

/// Counts MPI's elements, of which an array on one rank has as many as its parts on another: all ranks must find the same.
/// Elements that take no memory are never counted.
#[inline(always)]
fn is_beyond<T: Datatype>(total: usize, limit: c_int) -> bool {
    T::UNITS > 0 && total > limit as usize / T::UNITS
}

/// What goes to, or comes from, each rank: nothing, the same memory, or a block of it.
#[derive(Clone, Copy)]
pub(super) enum Share<'a> {
    Nothing,
    /// All of it, for this rank alone.
    One(Region, usize),
    /// All of it, for everybody.
    Each(Region),
    /// A block for each.
    Blocks(Region, &'a Counts),
}

impl Share<'_> {
    pub(super) fn of<T: Datatype>(&self, rank: usize) -> Region {
        let empty = Region::contiguous::<T>(std::ptr::dangling(), 0);
        match *self {
            Share::Nothing => empty,
            Share::One(all, only) => {
                if only == rank {
                    all
                } else {
                    empty
                }
            }
            Share::Each(all) => all,
            Share::Blocks(all, counts) => {
                let range = counts.range(rank);
                Region::contiguous(all.ptr.cast_const().cast::<T>().wrapping_add(range.start), range.len())
            }
        }
    }

    fn table<T: Datatype>(&self, ranks: usize, except: Option<usize>, limit: c_int) -> Result<Table> {
        let mut table = Table::new(limit)?;
        for rank in 0..ranks {
            let share = if except == Some(rank) { &Share::Nothing } else { self };
            table.push::<T>(share.of::<T>(rank))?;
        }
        Ok(table)
    }
}

/// The exchange. `except` is a rank whose part is in its place already; `limit` is the largest count and distance that are
/// given to MPI as they are.
///
/// # Safety
/// As for [`Communicator::collective`]; counts were checked against the memory and the communicator.
#[cold]
pub(super) unsafe fn exchange<T: Datatype>(
    comm: &Communicator,
    send: Share<'_>,
    recv: Share<'_>,
    except: Option<usize>,
    limit: c_int,
) -> Result<()> {
    let table = |share: Share<'_>| share.table::<T>(comm.size(), except, limit);
    let (send, recv) = (table(send)?, table(recv)?);
    let described = Parted::new(ALLTOALLW, &send, &recv, comm)?;
    // SAFETY: this function's contract.
    unsafe { comm.collective(described) }
}

/// [`allgatherv_into`](Communicator::allgatherv_into) as if no count or distance above `limit` could be given to MPI: for
/// tests, which have no memory for more than an `int` counts.
#[doc(hidden)]
pub fn allgatherv_by_parts<T: AnyBits>(
    comm: &Communicator,
    send: &[T],
    recv: BlocksMut<'_, T>,
    limit: c_int,
) -> Result<()> {
    let (recv, counts) = BlocksLoan::new(recv).region();
    Side::received::<T>(ALLGATHERV.names.now(), recv, counts, comm.size())?;
    let each = Share::Each(SendBuf::region(send)?);
    // SAFETY: both memories are borrowed for the call, the second exclusively; checked a few lines above.
    unsafe { exchange::<T>(comm, each, Share::Blocks(recv, counts), None, limit) }
}

/// [`alltoallv_into`](Communicator::alltoallv_into), likewise.
#[doc(hidden)]
pub fn alltoallv_by_parts<T: AnyBits>(
    comm: &Communicator,
    send: Blocks<'_, T>,
    recv: BlocksMut<'_, T>,
    limit: c_int,
) -> Result<()> {
    let (call, (recv, counts)) = (ALLTOALLV.names.now(), BlocksLoan::new(recv).region());
    send.counts.fits(call, Argument::SendLength, send.data.len(), comm.size())?;
    Side::received::<T>(call, recv, counts, comm.size())?;
    let blocks = Share::Blocks(SendBuf::region(send.data)?, send.counts);
    // SAFETY: both memories are borrowed for the call, the second exclusively; checked a few lines above.
    unsafe { exchange::<T>(comm, blocks, Share::Blocks(recv, counts), None, limit) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::table::GATHERV;

    #[test]
    fn parts_are_due_beyond_the_limit() {
        assert_eq!([9, 10, 11].map(|total| is_beyond::<u64>(total, 10)), [false, false, true]);
        assert!(!is_beyond::<()>(usize::MAX, 10), "elements of no size are not counted");
        assert!(!is_beyond::<[u8; 0]>(11, 10), "elements of no size are not counted");
        assert_eq!([3, 4].map(|total| is_beyond::<[u8; 3]>(total, 11)), [false, true], "9 and 12 bytes");
    }

    #[test]
    fn a_library_with_large_counts_needs_no_parts() {
        assert!(!is_due::<u8, _>(Some(&()), usize::MAX));
        assert!(is_due::<u8, ()>(None, 1 << 31) && !is_due::<u8, ()>(None, 1 << 30));
        assert_eq!(is_due::<u8, _>(GATHERV.wide, 1 << 31), cfg!(not(mpi_has = "MPI_Gatherv_c")));
    }
}
