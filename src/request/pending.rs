//! Requests that own their buffer: they can be stored, returned, collected and awaited.

use super::flight::{Flight, Kept, Landed};
use super::{Incoming, Outgoing, Test, Way};
use crate::comm::Users;
use crate::error::{Failed, Result, Returned};
use crate::ffi::MPI_Request;
use crate::scope::Operation;
use std::fmt;
use std::os::raw::c_int;

/// An operation in flight that owns its buffer, made by [`irecv`](crate::Communicator::irecv) and
/// [`isend`](crate::Communicator::isend) of a communicator.
///
/// It borrows nothing, so it can be kept in a struct, returned, or collected in a [`PendingSet`](super::PendingSet).
/// While it exists MPI is not finalized, and its communicator is [in use](crate::Communicator::free). It stays
/// on its thread.
///
/// # Dropping it
/// What MPI still uses cannot be given back to the allocator, so:
///
/// - drop waits for the operation. After the [stall limit](crate::environment::set_stall_limit) one line says what it
///   waits for, and it goes on waiting. To wait on purpose, call [`wait`](Pending::wait).
/// - If an error of this crate came up on this thread since the operation was posted (an early `?`), a receive is
///   cancelled, and the rest is polled up to the stall limit; what is then still in flight ends the job, with a line
///   that names call, peer and tag.
/// - While a panic unwinds, or when a host program has ended MPI, nothing is waited for: what is still in flight is
///   leaked.
/// - [`mem::forget`](std::mem::forget) leaks it, which is safe.
///
/// # As a future
/// A `Pending` is a [`Future`], for every executor that runs futures on the thread they were made on (`block_on`, a
/// local pool, a local set). MPI wakes nobody: each poll calls `MPI_Test` once, which also makes MPI move all
/// messages on, and asks to be polled again at once. So an executor that has nothing else to do spins, as `MPI_Wait`
/// does; each round costs one `MPI_Test` per operation (tens to hundreds of nanoseconds), and nothing moves on unless
/// the executor gets to poll or some other call enters MPI. Dropping the future is dropping the request: a `select` that
/// another branch wins waits for this one; keep the request, and poll `&mut request`, to go on later.
///
/// ```no_run
/// # let world = mpi::init()?;
/// let peer = world.size() - 1 - world.rank();
/// let incoming = world.irecv(vec![0.0; 1000], peer, 0)?;
/// let outgoing = world.isend(vec![1.0; 1000], peer, 0)?;
/// // work …
/// let mine = outgoing.wait()?;
/// let theirs = incoming.wait()?.data;
/// # Ok::<(), mpi::Error>(())
/// ```
#[must_use = "dropping a request waits for it: say so with `wait()`"]
#[doc(alias = "MPI_Request")]
pub struct Pending<B, W: Way<B> = Incoming> {
    pub(super) flight: Flight<B, W>,
}

/// A receive in flight that owns its buffer: gives back [`Received`](crate::Received).
pub type PendingRecv<B> = Pending<B, Incoming>;
/// A send in flight that owns its buffer: gives it back.
pub type PendingSend<B> = Pending<B, Outgoing>;

impl<B, W: Way<B>> Pending<B, W> {
    /// See [`Flight::start`].
    #[inline(always)]
    pub(crate) fn post<D>(
        user: Users,
        operation: &'static Operation,
        to: (c_int, c_int),
        buffer: B,
        describe: impl FnOnce(&mut B) -> D,
        post: impl FnOnce(D, *mut MPI_Request) -> Result<()>,
    ) -> Result<Self, Returned<B>> {
        Flight::start(user, operation, to, buffer, describe, post).map(|flight| Pending { flight })
    }

    /// The same operation, which keeps what MPI needs besides the buffer.
    #[inline(always)]
    pub(crate) fn keeping(mut self, kept: Kept) -> Self {
        self.flight.keep(kept);
        self
    }

    /// Waits until the operation is complete, without limit, and gives the buffer back.
    ///
    /// `MPI_Wait` (MPI 4.1 §3.7.3). A receive gives [`Received`](crate::Received); a message shorter than the buffer leaves the rest as
    /// it was.
    ///
    /// # Errors
    /// What MPI reports, such as a truncated message. The buffer comes back in the error if MPI is done with it, else it
    /// is leaked ([`Failed`]).
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    #[doc(alias = "MPI_Wait")]
    #[inline(always)]
    pub fn wait(self) -> Result<W::Output, Failed<B>> {
        self.flight.wait_to_the_end(output::<B, W>)
    }

    /// Asks whether the operation is complete: gives back the buffer, or the request.
    ///
    /// `MPI_Test` (MPI 4.1 §3.7.3). Also drives progress.
    ///
    /// # Errors
    /// As [`wait`](Pending::wait).
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    ///
    /// ```no_run
    /// # use mpi::request::Test;
    /// # let world = mpi::init()?;
    /// let mut incoming = world.irecv(vec![0u8; 100], 0, 0)?;
    /// let message = loop {
    ///     match incoming.test()? {
    ///         Test::Done(message) => break message,
    ///         Test::Pending(request) => incoming = request,
    ///     }
    ///     // work …
    /// };
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Test")]
    #[inline(always)]
    pub fn test(mut self) -> Result<Test<W::Output, Self>, Failed<B>> {
        match self.flight.poll() {
            None => Ok(Test::Pending(self)),
            Some(result) => result.map(|landed| Test::Done(output::<B, W>(landed))),
        }
    }
}

/// What completion gives back.
#[inline(always)]
pub(super) fn output<B, W: Way<B>>((buffer, status): Landed<B>) -> W::Output {
    W::output(buffer, status)
}

impl<B, W: Way<B>> fmt::Debug for Pending<B, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("operation", &self.flight).finish_non_exhaustive()
    }
}
