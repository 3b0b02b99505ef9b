//! A copy of what a view names, in one piece.
#![allow(unsafe_code)]

use super::form::Bare;
use super::form::calls::Calls;
use super::label;
use super::packed::append;
use super::portions::portions;
use crate::buffer::Region;
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::Result;
use std::mem::MaybeUninit;

/// The elements of `view`, one after the other; padding is not copied.
///
/// `MPI_Pack` and `MPI_Unpack` (MPI 4.1 §5.2).
///
/// # Errors
/// They are a view of more bytes than an `int` counts; or what MPI reports.
///
/// # Safety
/// What is described is initialized, and may be read.
#[cold]
pub(crate) unsafe fn in_one_piece<T: Datatype>(
    view: Region,
    comm: &Communicator,
) -> Result<Box<[MaybeUninit<T>]>> {
    let mut copy = Box::new_uninit_slice(view.len);
    let into = Region::contiguous(copy.as_mut_ptr().cast::<T>(), view.len);
    let mut packed = Vec::new();
    // SAFETY: this function's contract.
    unsafe { append::<Bare, T>(&mut packed, view, comm) }?;
    let unit = label::size(Bare::UNPACK, T::unit())?;
    portions::<T>(Bare::UNPACK, into, unit)?.try_fold(0, |at, elements| {
        // SAFETY: memory of our own for so many elements, of which `view` has as many.
        unsafe { Bare::unpack(&packed, at, elements, comm.raw()) }
    })?;
    Ok(copy)
}
