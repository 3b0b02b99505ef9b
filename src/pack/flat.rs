//! A copy of what a view names, in one piece.
#![allow(unsafe_code)]

use super::form::calls::Calls;
use super::form::{Bare, Elements};
use crate::buffer::Region;
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::{Error, Needs, Result};
use std::mem::MaybeUninit;
use std::os::raw::c_int;

/// The elements of `view`, one after the other; padding is not copied.
///
/// `MPI_Pack` and `MPI_Unpack` (MPI 4.1 §5.2).
///
/// # Errors
/// There are more than an `int` counts; or what MPI reports.
///
/// # Safety
/// What is described is initialized, and may be read.
#[cold]
pub(crate) unsafe fn in_one_piece<T: Datatype>(
    view: Region,
    comm: &Communicator,
) -> Result<Box<[MaybeUninit<T>]>> {
    let elements = |region: Region| {
        let count =
            c_int::try_from(region.count).map_err(|_| Error::unsupported(Bare::PACK, Needs::LargeCount))?;
        Ok::<_, Error>(Elements { ptr: region.ptr, count, datatype: region.datatype })
    };
    let mut copy = Box::new_uninit_slice(view.len);
    let (from, into) =
        (elements(view)?, elements(Region::contiguous(copy.as_mut_ptr().cast::<T>(), view.len))?);
    let mut packed = vec![0; Bare::size(from, comm.raw())?];
    // SAFETY: this function's contract; as many bytes as they take.
    let len = unsafe { Bare::pack(from, &mut packed, 0, comm.raw()) }?;
    // SAFETY: memory of our own for so many elements, of which `view` has as many.
    unsafe { Bare::unpack(&packed[..len], 0, into, comm.raw()) }?;
    Ok(copy)
}
