//! Uninitialized memory as a receive buffer of point-to-point receives.

use super::{RecvBuf, Region};
use crate::datatype::AnyBits;
use crate::error::Result;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

// SAFETY: exclusively borrowed memory; any bits make initialized elements, and only what arrived is handed out.
unsafe impl<T: AnyBits> RecvBuf for [MaybeUninit<T>] {
    type Elem = T;
    /// What arrived, and the rest.
    type Filled<'a> = (&'a mut [T], &'a mut [MaybeUninit<T>]);
    const COUNTS: bool = true;

    #[inline]
    fn region(&mut self) -> Result<Region> {
        const { T::AGREES.see() }
        Ok(Region::contiguous(self.as_mut_ptr().cast::<T>(), self.len()))
    }
    #[inline]
    unsafe fn filled<'a>(mut this: NonNull<Self>, received: usize) -> Self::Filled<'a> {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        let all = unsafe { this.as_mut() };
        // Whatever a library counted, no more than there is room for.
        let (arrived, rest) = all.split_at_mut(received.min(all.len()));
        // SAFETY: `MaybeUninit<T>` has the layout of `T`; MPI wrote these elements, and any bits are a `T`.
        let arrived = unsafe { &mut *(std::ptr::from_mut(arrived) as *mut [T]) };
        (arrived, rest)
    }
}
