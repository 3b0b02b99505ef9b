//! Communicators: who talks with whom.
//!
//! Standard: MPI 4.1, chapter 7 (Groups, Contexts, Communicators).

mod checked;
mod handle;
mod split;
mod users;

pub use handle::Communicator;
pub use split::Comparison;
pub(crate) use users::Users;
