//! Generalized requests: operations of the program's own that MPI's calls wait for, like messages (MPI 4.1 §13.2).
//!
//! [`grequest_start`](crate::Communicator::grequest_start) gives two ends: a request, which is waited for, tested, awaited
//! or put into sets like any other that owns what it is about, and a [`Completer`], which completes it with a value.

mod completer;
mod control;
mod delivery;

pub use completer::{Anywhere, Completer, Here};
pub use delivery::{Delivery, Generalized, PendingGeneralized};
