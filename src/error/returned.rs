//! Errors that give back what the call was given.

use super::Error;
use std::fmt;

/// An error, and what the call that failed had taken: a buffer, a handle.
///
/// Converts into [`Error`], so that `?` drops the data where nobody asks for it.
///
/// ```no_run
/// # let world = mpi::init()?;
/// let values = vec![1.0; 1_000_000];
/// let values = match world.isend(values, world.size(), 0) {
///     Ok(request) => request.wait()?,
///     Err(refused) => refused.data, // there is no such rank; the values are ours again
/// };
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Returned<T> {
    /// What went wrong.
    pub error: Error,
    /// What comes back.
    pub data: T,
}

/// An operation in flight has failed: the buffer comes back if MPI is done with it.
///
/// MPI is done with it if it has given up the request, as both libraries do for a message that is too long. If it has
/// not, or if the host program has ended MPI meanwhile, it may still write to the memory, which is leaked: `None`.
pub type Failed<B> = Returned<Option<B>>;

impl<T> From<Returned<T>> for Error {
    #[cold]
    fn from(returned: Returned<T>) -> Self {
        returned.error
    }
}

impl<T> fmt::Display for Returned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T> fmt::Debug for Returned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the data: `unwrap` would print a whole buffer.
        f.debug_struct("Returned").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<T> std::error::Error for Returned<T> {}
