//! The first elements of a buffer, where a call has put its result.
#![allow(unsafe_code)]

use super::RecvSlice;
use crate::datatype::Datatype;
use crate::error::Result;
use std::ptr::NonNull;
use std::slice;

/// The first `n` elements of the buffer, or all if it has less.
#[inline]
pub(crate) fn front<B: RecvSlice + ?Sized>(buf: &mut B, n: usize) -> Result<&mut [B::Elem]> {
    let region = buf.region()?;
    // Elements of which no byte travels have no place in the region: they cannot be given out if they have a size.
    let has_place = <B::Elem as Datatype>::UNITS > 0 || size_of::<B::Elem>() == 0;
    let n = if has_place { n.min(region.len) } else { 0 };
    // Nothing lies anywhere: a region without bytes is not where the buffer says, nor as aligned.
    let is_nothing = n == 0 || <B::Elem as Datatype>::UNITS == 0;
    let start = if is_nothing { NonNull::dangling().as_ptr() } else { region.ptr.cast::<B::Elem>() };
    // SAFETY: `region.len` initialized elements, one after the other (`RecvSlice`), exclusively borrowed through `buf`.
    Ok(unsafe { slice::from_raw_parts_mut(start, n) })
}
