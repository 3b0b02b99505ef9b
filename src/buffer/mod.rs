//! What can be lent to MPI: one trait for sending, one for receiving, one implementation per kind of thing.
//!
//! | thing | send | receive |
//! |---|---|---|
//! | a value `&x` ([`Scalar`](crate::datatype::Scalar)) | yes | yes |
//! | `&[T]`, `&[T; N]`, `&Vec<T>` | N elements | N elements |
//! | `&mut [MaybeUninit<T>]` | | what arrived, as an initialized prefix |
//! | [`Strided`], [`StridedMut`]: rows, columns and blocks of a slice | yes | [`StridedMut`] |
//! | [`Strided3`], [`Strided3Mut`]: blocks of a slice in three dimensions | yes | [`Strided3Mut`] |
//! | [`Laid`], [`LaidMut`]: whatever a [`Layout`](crate::datatype::Layout) says of a slice | yes | [`LaidMut`] |
//! | `&ArrayView`, `&mut ArrayViewMut`, `&mut Array` of `ndarray` (feature `ndarray`) | yes | yes |
//! | [`Device`]: memory that the host cannot read | yes | yes |
//!
//! What a request can own instead: [`OwnedSend`], [`OwnedRecv`]. Disjoint parts of one array, for halos: [`Grid`], [`Grid3`].
//!
//! In the v forms of collectives each rank has a block of a slice ([`WithCounts`], [`Counts`], [`Counted`]), in the w
//! forms a buffer of its own ([`Parts`], [`PartsMut`]).
//!
//! A form that cannot work: `&mut Vec<T>` does not grow. To receive a message of unknown length use
//! [`recv_vec`](crate::Communicator::recv_vec).
#![allow(unsafe_code)]

mod axes;
mod blocks;
mod border;
mod by_rank;
mod counts;
mod device;
mod front;
mod grid;
mod grid3;
mod halo;
mod halo3;
mod laid;
mod lend;
#[cfg(feature = "ndarray")]
mod ndarray;
mod owned;
#[cfg(feature = "ndarray")]
mod owned_array;
mod parts;
mod per_rank;
mod region;
mod slice;
mod strided;
mod strided3;
mod uninit;
mod view;
pub(crate) mod zeroed;

pub use blocks::{Blocks, BlocksMut, Counted, WithCounts};
pub use counts::Counts;
pub use device::Device;
pub use grid::Grid;
pub use grid3::Grid3;
pub use halo::{GridMut, Halo};
pub use halo3::{Grid3Mut, Halo3};
pub use laid::{Laid, LaidMut};
pub use lend::{LendRecv, LendRecvSlice, LendSend, LendSendSlice};
#[cfg(feature = "ndarray")]
pub use ndarray::{Contiguous, ContiguousMut};
pub use owned::{OwnedRecv, OwnedSend};
#[cfg(feature = "ndarray")]
pub use owned_array::OwnedArray;
pub use parts::{Parts, PartsMut};
pub use per_rank::PerRank;
pub use region::Region;
pub use strided::{Strided, StridedMut};
pub use strided3::{Strided3, Strided3Mut};

pub(crate) use counts::Room;
pub(crate) use front::front;
pub(crate) use owned::{recv_region, send_region};
pub(crate) use parts::{FARTHEST, Table};
pub(crate) use per_rank::blocks;
pub(crate) use region::{Fitted, INT_MAX, apart};

use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::error::Result;
use std::ptr::NonNull;

/// Memory that MPI may read while it is borrowed.
///
/// # Safety
/// [`region`](SendBuf::region) describes initialized memory that stays valid and unmodified as long as `self` is
/// borrowed, of elements of `Elem`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to MPI for sending",
    label = "not a send buffer",
    note = "send a `&[T]`, `&[T; N]`, `&Vec<T>`, `&T` or a `Strided<T>` view, where `T` is an MPI datatype",
    note = "`T` may be a number, `bool`, `char`, `NonZero*`, an array of them, or a struct with `#[derive(mpi::Datatype)]`; a type with padding, pointers, references or interior mutability (`Cell`) cannot be sent: send its parts"
)]
pub unsafe trait SendBuf {
    /// The element type.
    type Elem: Datatype;
    /// Whether this crate may read the memory too, not MPI alone.
    #[doc(hidden)]
    const IS_ON_HOST: bool = true;
    /// The memory, as MPI wants it described.
    #[doc(hidden)]
    fn region(&self) -> Result<Region>;
}

/// Memory that MPI may write while it is exclusively borrowed.
///
/// # Safety
/// [`region`](RecvBuf::region) describes memory that is exclusively borrowed with `self`, of elements of `Elem`;
/// no reference to the memory is made by it that outlives the call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to MPI for receiving",
    label = "not a receive buffer",
    note = "receive into a `&mut [T]`, `&mut [T; N]`, `&mut Vec<T>`, `&mut T` or a `StridedMut<T>` view, where every bit pattern of `T` is valid",
    note = "`bool`, `char`, `NonZero*` and enums are received by value (`recv::<T>`) or into a new `Vec` (`recv_vec::<T>`)"
)]
pub unsafe trait RecvBuf {
    /// The element type.
    type Elem: AnyBits;
    /// What completion gives back: the buffer, or for `MaybeUninit` its initialized prefix and the rest.
    type Filled<'a>
    where
        Self: 'a;
    /// The memory, as MPI wants it described.
    #[doc(hidden)]
    fn region(&mut self) -> Result<Region>;
    /// # Safety
    /// `this` is exclusively borrowed for `'a`, MPI is done with it, and `received` elements from its start were
    /// written by MPI.
    #[doc(hidden)]
    unsafe fn filled<'a>(this: NonNull<Self>, received: usize) -> Self::Filled<'a>
    where
        Self: 'a;
    /// Whether [`filled`](RecvBuf::filled) looks at `received`: if not, nobody asks MPI for it.
    #[doc(hidden)]
    const COUNTS: bool = false;
}

/// A send buffer whose elements follow one another in memory: what collectives and reductions take.
///
/// # Safety
/// The region is contiguous: `len` elements from its start.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a contiguous buffer, which this operation needs",
    note = "use a `&[T]`, `&[T; N]`, `&Vec<T>` or `&T`"
)]
pub unsafe trait SendSlice: SendBuf {}

/// A buffer that says what a result of its shape is: `T` for a value, `[T; N]` for an array, `Vec<T>` for a slice
/// or vector of T.
///
/// The result starts as zeros, MPI fills it, and it is checked before anybody sees it.
///
/// # Safety
/// [`bits_region`](SameShape::bits_region) covers exactly as many elements as `self` has.
#[diagnostic::on_unimplemented(
    message = "no result of the shape of `{Self}` can be received",
    note = "use a `&[T]`, `&[T; N]`, `&Vec<T>` or `&T` whose elements can be received"
)]
pub unsafe trait SameShape: SendSlice<Elem: FromBits> {
    /// The result.
    type Owned;
    /// The result before it is checked.
    #[doc(hidden)]
    type Bits;
    #[doc(hidden)]
    fn zeroed(&self) -> Self::Bits;
    #[doc(hidden)]
    fn bits_region(bits: &mut Self::Bits) -> Region;
    /// The result, or the index of the first element that is no value.
    #[doc(hidden)]
    fn check(bits: Self::Bits) -> Result<Self::Owned, usize>;
}

/// A receive buffer whose elements follow one another in memory and are initialized.
///
/// # Safety
/// As [`SendSlice`], and every element is initialized: a peer that sends less leaves the rest as it was.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a contiguous initialized buffer, which this operation needs",
    note = "use a `&mut [T]`, `&mut [T; N]`, `&mut Vec<T>` or `&mut T`: a peer may send less than agreed, so a collective's result must be initialized before"
)]
pub unsafe trait RecvSlice: RecvBuf {}
