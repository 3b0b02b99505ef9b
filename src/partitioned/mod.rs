//! Partitioned communication: one message, filled and released piece by piece, by any thread.
//!
//! Both sides agree on a number of elements; each cuts its buffer into as many equal partitions as it likes. A
//! [`PartitionedSend`] gives out a token for each partition, which can go to another thread and gives exclusive access
//! to the elements until they are ready. A [`PartitionedRecv`] says which partitions have arrived.
//!
//! ```no_run
//! # let world = mpi::init()?;
//! if world.rank() == 0 {
//!     let mut send = world.psend_init(vec![0.0f64; 8000], 8, 1, 0)?;
//!     let mut filling = send.start()?;
//!     std::thread::scope(|threads| {
//!         for mut partition in filling.partitions() {
//!             threads.spawn(move || {
//!                 partition.fill(1.5);
//!                 partition.ready();
//!             });
//!         }
//!     });
//!     filling.wait()?;
//! } else if world.rank() == 1 {
//!     let mut receive = world.precv_init(vec![0.0f64; 8000], 4, 0, 0)?;
//!     receive.start()?.wait()?;
//! }
//! # Ok::<(), mpi::Error>(())
//! ```
//!
//! Both own their buffers. In a scope they borrow them: [`Scope::psend_init`](crate::Scope::psend_init),
//! [`Scope::precv_init`](crate::Scope::precv_init).
//!
//! MPI is told that a partition is ready at once on a thread that may call MPI: any with
//! [`ThreadLevel::Multiple`](crate::ThreadLevel::Multiple), else the one that initialized it. What other threads make
//! ready travels when the owner waits.
//!
//! Partitioned communication came with MPI 4.0. Where the library has none, `psend_init` and `precv_init` are `Err`.
//!
//! Standard: MPI 4.1, chapter 4 "Partitioned Point-to-Point Communication".

mod calls;
mod channel;
mod complete;
mod message;
mod ready;
mod recv;
mod send;

pub use message::{Partitioned, Started};
pub(crate) use ready::make_ready;
pub use recv::{Arriving, PartitionedRecv};
pub use send::{Filling, Partition, PartitionedSend};
