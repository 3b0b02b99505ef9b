//! What may be sent, and what may be received.
//!
//! | trait | promise | who has it |
//! |---|---|---|
//! | [`Datatype`] | may be sent: every byte MPI reads is initialized | numbers, `bool`, `char`, `NonZero*`, arrays of them |
//! | [`AnyBits`] | may be lent to MPI for receiving: every bit pattern is a value | numbers, arrays of them |
//! | [`FromBits`] | may be received by value or into a fresh `Vec`, after a check | all of the above |
//! | [`Scalar`] | a single value is a buffer by itself | all but arrays, which are buffers of their elements |
//!
//! Structs of them, and enums without fields, get the traits by derives of the same names; [`Datatype`](derive@Datatype)
//! brings `Scalar`, and [`AnyBits`](derive@AnyBits) brings `FromBits`. [`typemap`] prints what MPI is told of a type.
//!
//! ```no_run
//! #[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
//! struct Particle {
//!     position: [f64; 3],
//!     id: u32,
//! }
//! #[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)] // not every byte is a `bool`: checked when received
//! struct Answer {
//!     found: bool,
//!     place: u64,
//! }
//! # let world = mpi::init()?;
//! let mut particles = vec![Particle { position: [0.0; 3], id: 0 }; 1000];
//! world.bcast(&mut particles, 0)?;
//! let answers: Vec<Answer> = world.allgather(&Answer { found: true, place: 3 })?;
//! # let _ = (particles[0].position, particles[0].id, answers[0].found, answers[0].place);
//! # Ok::<(), mpi::Error>(())
//! ```
//!
//! Standard: MPI 4.1, chapter 5 (Datatypes), section 3.2.2 (matching rules).
#![allow(unsafe_code)]

mod agreed;
mod any_bits;
mod attribute;
pub(crate) mod axes;
mod builtin;
pub(crate) mod cache;
mod contents;
#[cfg(feature = "half")]
mod half;
mod layout;
mod padding;
mod parts;
pub(crate) mod repeat;
pub(crate) mod slot;
mod typemap;
mod unchecked;

#[doc(hidden)]
pub use agreed::Agreed;
pub use any_bits::{AnyBits, FromBits};
pub use attribute::Key;
pub use contents::{Combiner, Contents, TypeClass};
pub use layout::{Distribution, Layout, Order};
pub use mpi_derive::{AnyBits, Datatype, FromBits};
pub(crate) use parts::Path;
pub use parts::Primitive;
#[doc(hidden)]
pub use parts::{Field, Parts};
#[doc(hidden)]
pub use slot::Slot;
pub use typemap::{Entry, Typemap, typemap};
#[doc(hidden)]
pub use unchecked::Unchecked;

use crate::environment::live;
use crate::error::Result;
use crate::ffi::{Call, MPI_Datatype};
use repeat::Vector;
use std::mem::MaybeUninit;

/// An MPI datatype handle, as the implementor of [`Datatype`] hands it to this crate.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RawDatatype(pub(crate) MPI_Datatype);

/// A type whose values may be sent.
///
/// # Safety
/// Every byte that MPI reads of a value (`UNITS` times the type that [`unit`](Datatype::unit) names, laid out one
/// after the other from the value's address, with an extent of exactly `size_of::<Self>()` in all) is initialized
/// and inside the value; `UNITS <= size_of::<Self>()`; `PARTS`, if given, says the same as `UNITS` and `unit`; and
/// `&self` cannot be used to change the value (no `UnsafeCell`).
///
/// MPI reads and writes nothing between what the type names: there may be padding.
#[diagnostic::on_unimplemented(
    message = "values of type `{Self}` cannot be sent over MPI",
    label = "not an MPI datatype",
    note = "numbers, `bool`, `char`, `NonZero*` and arrays of them can be sent",
    note = "structs of them, and enums without fields, can with `#[derive(Clone, Copy, mpi::Datatype)]`",
    note = "a type with padding, pointers, references or interior mutability (`Cell`) cannot: send its parts"
)]
pub unsafe trait Datatype: Copy + 'static {
    /// The fields of a derived type.
    #[doc(hidden)]
    const FIELDS: &'static [Field] = &[];
    /// What a value is made of.
    #[doc(hidden)]
    const PARTS: Parts = Parts::other(Self::UNITS, size_of::<Self>());
    /// Memory in whose shape derives find the fields. It is the compiler's alone, which reserves none for it.
    #[doc(hidden)]
    const SPACE: MaybeUninit<Self> = MaybeUninit::uninit();
    /// How many elements of the MPI type make one value.
    #[doc(hidden)]
    const UNITS: usize;
    /// The committed MPI type of one element; may be `MPI_DATATYPE_NULL` where MPI may not be called.
    #[doc(hidden)]
    fn unit() -> RawDatatype;
    /// [`unit`](Datatype::unit) of a derived type, whose own this place is. Derives call what the traits provide, since a
    /// path may lead anywhere (`#[mpi(crate = "…")]`), and nothing but the right one has it.
    #[doc(hidden)]
    #[inline(always)]
    fn unit_in<S: slot::IsSlot>(slot: &'static S) -> RawDatatype {
        slot.as_slot().unit::<Self>()
    }
    /// The same of a generic type.
    #[doc(hidden)]
    #[inline(always)]
    fn generic_unit() -> RawDatatype {
        slot::generic_unit::<Self>()
    }
}

/// A type of which one value is a buffer by itself: `world.send(&x, 1, 0)`.
///
/// Arrays lack it on purpose: a borrowed `&[T; N]` is a buffer of N elements, like a slice.
///
/// # Safety
/// None beyond those of [`Datatype`]; it is `unsafe` to implement so that nobody does so for a type that this
/// crate treats as a buffer already.
#[diagnostic::on_unimplemented(
    message = "a single `{Self}` is not an MPI buffer",
    note = "send `&[T]`, `&[T; N]`, `&Vec<T>` or a reference to a number"
)]
pub unsafe trait Scalar: Datatype {
    /// What tells it from other traits that a path may lead to.
    #[doc(hidden)]
    const SCALAR: () = ();
}

/// A committed MPI type of one whole value: it counts values, where [`unit`](Datatype::unit) counts their parts.
#[inline(always)]
pub(crate) fn whole<T: Datatype>(call: Call) -> Result<RawDatatype> {
    match T::UNITS {
        0 | 1 => Ok(T::unit()),
        n => row::<T>(call, n),
    }
}

fn row<T: Datatype>(call: Call, units: usize) -> Result<RawDatatype> {
    live(call)?; // a description asks MPI before the call that it is for is checked
    let vector = Vector { blocks: 1, block: units, stride: size_of::<T>() as isize, base: T::unit().0 };
    vector.committed().map(RawDatatype)
}

/// Frees the types of this thread. MPI is live; called before it ends. Other threads' types end with MPI.
pub(crate) fn clear() {
    cache::clear();
    layout::clear();
}
