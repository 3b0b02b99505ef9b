//! Messages put together from pieces of different types: `MPI_Pack` and `MPI_Unpack` without positions.
//!
//! A [`Packed`] message takes any buffer that can be sent, is sent like any other, and is read by an [`Unpacker`], which
//! gives the pieces back in the order in which they were packed.
//!
//! | form | the pieces | for |
//! |---|---|---|
//! | [`Labelled`] | know their type and length: what does not fit is an `Err` | Rust on both sides |
//! | [`Bare`] | as `MPI_Pack` writes them | C on the other side |
//! | [`External`] | the same bytes on every machine | files, other libraries |
//!
//! ```no_run
//! # let world = mpi::init()?;
//! if world.rank() == 0 {
//!     let mut message = world.pack();
//!     message.push(&3u32)?.push(&[1.0, 2.0, 3.0])?.push(&true)?;
//!     world.send(&message, 1, 0)?;
//! } else {
//!     let message = world.recv_packed::<mpi::pack::Labelled>(0, 0)?.data;
//!     let mut pieces = message.unpack();
//!     let id: u32 = pieces.next()?;
//!     let numbers: Vec<f64> = pieces.next_vec()?;
//!     let last: bool = pieces.next()?;
//!     pieces.finish()?;
//!     println!("{id}: {numbers:?}, {last}");
//! }
//! # Ok::<(), mpi::Error>(())
//! ```
//!
//! Packing copies. A struct or a layout sends the same without, if its parts are in one place.
//!
//! Standard: MPI 4.1, section 5.2 (Pack and Unpack).
#![allow(unsafe_code)]

mod flat;
mod form;
mod label;
mod order;
mod packed;
mod portions;
mod unpacker;

pub(crate) use flat::in_one_piece;
pub(crate) use form::packed_size;
pub use form::{Bare, External, Form, Labelled, PackedByte};
pub use packed::Packed;
pub use unpacker::Unpacker;
