//! Persistent communication: operations that are described once and started in every step.
//!
//! A persistent request keeps pointers into memory for its whole life, but uses that memory only between start and
//! completion. So a borrow per request is the wrong shape: it would freeze the memory for the whole time loop. A
//! [`Plan`] owns its arrays, or borrows them for a whole [scope](crate::Scope::plan), and lends them back whenever they
//! are not in use: between steps as a whole, in flight block by block.
//!
//! ```no_run
//! use mpi::persistent::{Block, Plan};
//!
//! # let world = mpi::init()?;
//! let (me, size) = (world.rank(), world.size());
//! let (up, down) = (me.checked_sub(1), (me + 1 < size).then_some(me + 1));
//! let mut plan = Plan::new(&world);
//! let field = plan.grid(vec![0.0f64; 12 * 100], 12, 100)?; // a row of ghosts above and below
//! plan.recv(field, (0, 0..100), up, 1)?.recv(field, (11, 0..100), down, 2)?;
//! plan.send(field, (1, 0..100), up, 2)?.send(field, (10, 0..100), down, 1)?;
//! for _ in 0..1000 {
//!     let flight = plan.start()?;
//!     let inner = flight.view(field, Block::new(1..11, 0..100))?; // whatever is not received can be read
//!     let sum: f64 = inner.iter().sum();
//!     flight.wait()?;
//!     plan.get_mut(field)?[100] = sum;
//! }
//! let field: Vec<f64> = plan.take(field)?;
//! # Ok::<(), mpi::Error>(())
//! ```
//!
//! Standard: MPI 4.1, section 3.9 "Persistent Communication Requests".
//!
//! # Why this is sound
//!
//! 1. A plan owns the allocations by raw parts, not by a `Vec`: moving the plan claims nothing. They are freed only
//!    when MPI uses none of them; a plan that is forgotten leaks them, and so does one that MPI will not let go of.
//!    A plan of a scope holds pointers as well, and its requests are the scope's: see `src/scope/mod.rs`.
//! 2. The plan is marked as active *before* `MPI_Startall`, which may fail half way, and as idle only after
//!    everything was found complete. Whoever wants an array waits first; so it does not matter what becomes of a
//!    [`Flight`].
//! 3. Blocks are checked once, in checked arithmetic: inside the array, and a block that is received overlaps no
//!    other. In flight, what is read overlaps nothing received, and what is written overlaps nothing at all.
//! 4. An [`ArrayId`] is made by the plan for the element type of its array, and for what the plan may do to it, and names
//!    the plan by a number that no other plan ever has.

mod add;
mod array;
mod block;
mod collective;
mod complete;
mod flight;
mod inits;
mod lend;
mod operation;
mod owned;
mod plan;
mod scoped;
mod single;
mod slots;

pub(crate) use array::Array;
pub use array::{ArrayId, Exclusive, Shared};
pub use block::Block;
pub use collective::Section;
pub(crate) use complete::is_inactive;
pub use flight::Flight;
pub use lend::{LendArray, Lent, Owned};
pub use owned::{Buffers, Collecting, PersistentCollective};
pub use plan::Plan;
pub use scoped::ScopedPlan;
pub use single::{PersistentRecv, PersistentSend, Receiving, Sending};
pub(crate) use slots::Slots;
