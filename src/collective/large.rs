//! V forms whose counts no `int` holds, with libraries that have no functions for them: `MPI_Alltoallw`, whose types hold
//! any count.
//!
//! All ranks of a call must make the same one, so this is only for those of which all ranks know whether it is due: their
//! counts are the same everywhere, or were told to everybody. The others are `Err(Unsupported)`.
#![allow(unsafe_code)]

use super::parted::Parted;
use super::table::ALLTOALLW;
use crate::buffer::{Counts, FARTHEST, Region, Table};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::Result;
use std::os::raw::c_int;

/// Whether blocks of so many elements in all go by `MPI_Alltoallw`. `wide` are the functions for large counts.
#[inline(always)]
pub(super) fn is_due<T: Datatype, W>(wide: Option<&W>, total: usize) -> bool {
    wide.is_none() && is_beyond::<T>(total, FARTHEST)
}

/// Elements that take no memory are never counted.
#[inline(always)]
fn is_beyond<T: Datatype>(total: usize, limit: c_int) -> bool {
    T::UNITS > 0 && total > limit as usize
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

/// The exchange. `except` is a rank whose part is in its place already.
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
    let described = Parted::new(ALLTOALLW, &send, &recv, comm.size())?;
    // SAFETY: this function's contract.
    unsafe { comm.collective(described) }
}
