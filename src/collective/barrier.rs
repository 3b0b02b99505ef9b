//! `MPI_Barrier` (MPI 4.1 §6.3).
#![allow(unsafe_code)]

use super::describe::Barrier;
use super::table::BARRIER;
use crate::comm::Communicator;
use crate::error::{Result, Returned};
use crate::request::{Collective, Pending, Request};
use crate::scope::Scope;

const DESCRIBED: Barrier = Barrier { forms: BARRIER };

impl Communicator {
    /// Waits until all ranks have called it.
    ///
    /// `MPI_Barrier` (MPI 4.1 §6.3).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Barrier")]
    pub fn barrier(&self) -> Result<()> {
        // SAFETY: no memory is involved.
        unsafe { self.collective(DESCRIBED) }
    }

    /// Starts a barrier that owns itself: it is complete when all ranks have started it.
    ///
    /// `MPI_Ibarrier` (MPI 4.1 §6.12.1).
    ///
    /// # Errors
    /// What MPI reports.
    ///
    /// ```no_run
    /// use mpi::request::Test;
    /// # let world = mpi::init()?;
    /// let mut barrier = world.ibarrier()?;
    /// while let Test::Pending(request) = barrier.test()? {
    ///     barrier = request;
    ///     // work while the others arrive …
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Ibarrier")]
    pub fn ibarrier(&self) -> Result<Pending<(), Collective>, Returned<()>> {
        // SAFETY: no memory is involved.
        unsafe { self.start_owned(BARRIER, (), None, |()| Ok(DESCRIBED)) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts a barrier: the request is complete when all ranks have started it.
    ///
    /// `MPI_Ibarrier` (MPI 4.1 §6.12.1).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Ibarrier")]
    pub fn ibarrier(self) -> Result<Request<'s, ()>> {
        // SAFETY: no memory is involved.
        unsafe { self.collective(BARRIER, Ok(DESCRIBED), ()) }
    }
}
