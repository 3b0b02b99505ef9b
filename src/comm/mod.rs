//! Communicators: who talks with whom.
//!
//! Standard: MPI 4.1, chapter 7 (Groups, Contexts, Communicators).

mod handle;
mod split;

pub use handle::Communicator;
pub use split::Comparison;
