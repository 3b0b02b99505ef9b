//! MPI for Rust: safe bindings to the MPI library that the machine has, at the cost of C.
//!
//! A program that compiles without `unsafe` cannot touch memory that MPI owns, cannot call MPI when MPI may not be
//! called, and gets an error or an abort that says why where C would corrupt, crash or hang.
//!
//! ```no_run
//! use mpi::op::Sum;
//!
//! #[mpi::main]
//! fn main(world: mpi::Communicator) -> mpi::Result<()> {
//!     let total = world.allreduce(&(world.rank() as u64), Sum)?;
//!     if world.rank() == 0 {
//!         println!("the ranks of {} processes add up to {total}", world.size());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Where things are
//!
//! | you look for | it is in |
//! |---|---|
//! | starting and ending MPI, versions, thread levels | [`environment`], [`init`], [`run`], [`main`](macro@main) |
//! | `send`, `recv`, `sendrecv`, `probe` | methods of [`Communicator`] |
//! | buffered sends (`bsend`) and their buffer | [`buffered`] |
//! | matched probes (`mprobe`, `mrecv`) | [`Message`] |
//! | `bcast`, `reduce`, `gather`, … and their operations | methods of [`Communicator`], [`op`] |
//! | nonblocking operations | [`Communicator::scope`], [`Scope`], [`request`], [`request::RequestSet`] |
//! | requests that own their buffer, futures | [`request::Pending`], [`request::PendingSet`] |
//! | persistent operations | [`persistent::Plan`], [`Scope::plan`] |
//! | operations of your own among the requests | [`Communicator::grequest_start`], [`request::Completer`] |
//! | messages filled piece by piece | [`partitioned`] |
//! | what can be sent and received | [`datatype`], [`buffer`] |
//! | messages made of pieces (`MPI_Pack`) | [`pack`] |
//! | memory that MPI allocates (`MPI_Alloc_mem`) | [`alloc`] |
//! | grids of ranks | [`topology`] |
//!
//! Names are MPI's own in snake case, without prefix; searching these pages for the C name (`MPI_Isend`) finds them
//! too.

#![deny(unsafe_code)]

pub mod alloc;
pub mod buffer;
mod collective;
mod comm;
pub mod datatype;
pub mod environment;
mod error;
mod ffi;
mod p2p;
pub mod pack;
pub mod partitioned;
pub mod persistent;
pub mod quirks;
pub mod request;
mod scope;
mod status;
#[cfg(miri)]
mod sys_fake;
#[doc(hidden)]
pub mod test_support;
pub mod topology;

pub use collective::op;
pub use comm::{Communicator, Comparison};
pub use datatype::{AnyBits, Datatype, FromBits, Scalar};
pub use environment::{Builder, ThreadLevel, init, run};
pub use error::{Error, ErrorClass, Result, Returned};
pub use mpi_derive::{main, test};
pub use p2p::{AnyTag, Destination, Message, Received, Source, Tag, TagPattern, buffered};
pub use request::{test_all, wait_all};
pub use scope::Scope;
pub use status::Status;

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
