//! `MPI_Bcast` (MPI 4.1 §6.4).
#![allow(unsafe_code)]

use super::describe::Broadcast;
use super::table::BCAST;
use crate::buffer::{LendRecvSlice, OwnedRecv, RecvBuf, SendBuf, recv_region};
use crate::comm::Communicator;
use crate::error::{Result, Returned};
use crate::request::{Collective, Pending, Request, WriteLoan};
use crate::scope::Scope;

impl Communicator {
    /// Copies the root's buffer into everybody's.
    ///
    /// `MPI_Bcast` (MPI 4.1 §6.4). In place by nature. All ranks give buffers of one length.
    ///
    /// # Errors
    /// There is no rank `root`; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut parameters = [0.0; 4];
    /// if world.rank() == 0 {
    ///     parameters = [1.0, 0.5, 0.25, 0.125];
    /// }
    /// world.bcast(&mut parameters, 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Bcast")]
    #[inline]
    pub fn bcast<B>(&self, buf: &mut B, root: usize) -> Result<()>
    where
        // `SendBuf` as well: the root's memory is read, so `MaybeUninit` will not do.
        B: RecvBuf + SendBuf + ?Sized,
    {
        let described = Broadcast::new(BCAST, RecvBuf::region(buf)?, root, self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to copy the root's buffer into everybody's; the request owns it, and gives it back.
    ///
    /// `MPI_Ibcast` (MPI 4.1 §6.12.2).
    ///
    /// # Errors
    /// As [`bcast`](Communicator::bcast). The buffer comes back in the error.
    #[doc(alias = "MPI_Ibcast")]
    pub fn ibcast<B: OwnedRecv>(&self, buf: B, root: usize) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| Broadcast::new(BCAST, recv_region(buf), root, self);
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(BCAST, buf, None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to copy the root's buffer into everybody's; the borrow comes back from `wait`.
    ///
    /// `MPI_Ibcast` (MPI 4.1 §6.12.2).
    ///
    /// # Errors
    /// As [`bcast`](Communicator::bcast).
    #[doc(alias = "MPI_Ibcast")]
    #[inline]
    pub fn ibcast<B: LendRecvSlice<'s>>(self, buf: B, root: usize) -> Result<Request<'s, WriteLoan<'s, B>>> {
        let (region, raw) = buf.lend()?;
        let described = Broadcast::new(BCAST, region, root, self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized.
        unsafe { self.collective(BCAST, described, WriteLoan::new(raw)) }
    }
}
