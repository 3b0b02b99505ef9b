//! Buffers on loan: how a borrow goes into a request, and comes back when the request is complete.
//!
//! While an operation is in flight **no reference to memory that MPI writes may exist**, not even one that nobody
//! uses: moving a struct that holds a `&mut [T]` is a retag, and would invalidate the pointer MPI holds. So `lend`
//! turns the reference into a pointer, and `reclaim` turns it back. The same goes for a `&mut` that is lent for
//! sending: moving it would count as a write while MPI reads.

use super::{RecvBuf, RecvSlice, Region, SendBuf, SendSlice};
use crate::datatype::{AnyBits, Datatype};
use crate::error::Result;
use std::ptr::NonNull;

/// A borrow that a nonblocking send can take for `'s`: `&B`, `&mut B` of a [`SendBuf`], or a strided view.
///
/// # Safety
/// The memory of the region is borrowed for `'s`, and `Raw` holds no reference to it that could be invalidated.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to MPI for sending",
    label = "not a borrow of a send buffer",
    note = "lend a `&[T]`, `&[T; N]`, `&Vec<T>`, `&T` or a `Strided<T>` view; a buffer that is moved in has no owner to outlive the request: borrow it",
    note = "`T` may be a number, `bool`, `char`, `NonZero*`, an array of them, or a struct with `#[derive(mpi::Datatype)]`; a type with padding, pointers, references or interior mutability (`Cell`) cannot be sent: send its parts"
)]
pub unsafe trait LendSend<'s>: Sized {
    /// The element type.
    type Elem: Datatype;
    /// The borrow in flight.
    #[doc(hidden)]
    type Raw: Copy;
    #[doc(hidden)]
    fn lend(self) -> Result<(Region, Self::Raw)>;
    /// # Safety
    /// MPI no longer uses the memory, and `raw` came from `lend` and is reclaimed once.
    #[doc(hidden)]
    unsafe fn reclaim(raw: Self::Raw) -> Self;
}

/// An exclusive borrow that a nonblocking receive can take for `'s`: `&mut B` of a [`RecvBuf`], or a strided view.
///
/// # Safety
/// The memory of the region is exclusively borrowed for `'s`, and `Raw` holds no reference to it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to MPI for receiving",
    label = "not an exclusive borrow of a receive buffer",
    note = "lend a `&mut [T]`, `&mut [T; N]`, `&mut Vec<T>`, `&mut T` or a `StridedMut<T>` view, where every bit pattern of `T` is valid",
    note = "`bool`, `char`, `NonZero*` and enums are received by value (`recv::<T>`) or into a new `Vec` (`recv_vec::<T>`)"
)]
pub unsafe trait LendRecv<'s>: Sized {
    /// The element type.
    type Elem: AnyBits;
    /// The borrow in flight.
    #[doc(hidden)]
    type Raw: Copy;
    /// What completion gives back.
    type Output;
    /// Whether `reclaim` looks at `received`.
    #[doc(hidden)]
    const COUNTS: bool;
    #[doc(hidden)]
    fn lend(self) -> Result<(Region, Self::Raw)>;
    /// # Safety
    /// MPI no longer uses the memory, it wrote `received` elements from the start, and `raw` came from `lend` and
    /// is reclaimed once.
    #[doc(hidden)]
    unsafe fn reclaim(raw: Self::Raw, received: usize) -> Self::Output;
}

// SAFETY: a shared borrow for `'s`; a shared reference may exist while MPI reads.
unsafe impl<'s, B: SendBuf + ?Sized> LendSend<'s> for &'s B {
    type Elem = B::Elem;
    type Raw = &'s B;
    #[inline(always)]
    fn lend(self) -> Result<(Region, &'s B)> {
        Ok((self.region()?, self))
    }
    #[inline(always)]
    unsafe fn reclaim(raw: &'s B) -> &'s B {
        raw
    }
}
// SAFETY: an exclusive borrow for `'s`, held as a pointer.
unsafe impl<'s, B: SendBuf + ?Sized> LendSend<'s> for &'s mut B {
    type Elem = B::Elem;
    type Raw = NonNull<B>;
    #[inline(always)]
    fn lend(self) -> Result<(Region, NonNull<B>)> {
        let raw = NonNull::from(self);
        // SAFETY: `raw` was `&'s mut B` a line above.
        let region = unsafe { raw.as_ref() }.region()?;
        Ok((region, raw))
    }
    #[inline(always)]
    unsafe fn reclaim(mut raw: NonNull<B>) -> &'s mut B {
        // SAFETY: `raw` was `&'s mut B`, and MPI is done with it, by this function's contract.
        unsafe { raw.as_mut() }
    }
}
// SAFETY: an exclusive borrow for `'s`, held as a pointer.
unsafe impl<'s, B: RecvBuf + ?Sized> LendRecv<'s> for &'s mut B {
    type Elem = B::Elem;
    type Raw = NonNull<B>;
    type Output = B::Filled<'s>;
    const COUNTS: bool = B::COUNTS;
    #[inline(always)]
    fn lend(self) -> Result<(Region, NonNull<B>)> {
        let mut raw = NonNull::from(self);
        // SAFETY: `raw` was `&'s mut B` a line above.
        let region = unsafe { raw.as_mut() }.region()?;
        Ok((region, raw))
    }
    #[inline(always)]
    unsafe fn reclaim(raw: NonNull<B>, received: usize) -> B::Filled<'s> {
        // SAFETY: `raw` was `&'s mut B`; the rest is this function's contract.
        unsafe { B::filled(raw, received) }
    }
}

/// A contiguous borrow that a nonblocking collective can take for reading: `&B` of a [`SendSlice`].
///
/// # Safety
/// The region is contiguous.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a borrow of a contiguous buffer, which this operation needs",
    note = "lend a `&[T]`, `&[T; N]`, `&Vec<T>` or `&T`"
)]
pub unsafe trait LendSendSlice<'s>: LendSend<'s> {}
// SAFETY: contiguous, by `SendSlice`.
unsafe impl<'s, B: SendSlice + ?Sized> LendSendSlice<'s> for &'s B {}
// SAFETY: contiguous, by `SendSlice`.
unsafe impl<'s, B: SendSlice + ?Sized> LendSendSlice<'s> for &'s mut B {}

/// A contiguous exclusive borrow of initialized memory that a nonblocking collective can take for writing: `&mut B`
/// of a [`RecvSlice`].
///
/// # Safety
/// The region is contiguous, and every element is initialized.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an exclusive borrow of a contiguous initialized buffer, which this operation needs",
    note = "lend a `&mut [T]`, `&mut [T; N]`, `&mut Vec<T>` or `&mut T`"
)]
pub unsafe trait LendRecvSlice<'s>: LendRecv<'s> {}
// SAFETY: contiguous and initialized, by `RecvSlice`.
unsafe impl<'s, B: RecvSlice + ?Sized> LendRecvSlice<'s> for &'s mut B {}
