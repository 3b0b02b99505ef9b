//! Buffers of single communicators (MPI 4.1 §3.6).
#![allow(unsafe_code)]

use super::attached::{Attached, require_vacant, take};
use super::calls::{self, Owner};
use super::flushing::{self, PendingFlush};
use super::none;
use crate::comm::Communicator;
use crate::environment::live;
use crate::error::Result;
use std::mem::ManuallyDrop;

impl Communicator {
    /// Attaches a buffer of `bytes` bytes to this communicator. Its buffered sends use it instead of the process's.
    ///
    /// `MPI_Comm_attach_buffer` (MPI 4.1 §3.6). See [`buffered::room_for`](crate::buffered::room_for) for how large it must
    /// be. It is this handle's: detached and freed when the communicator is freed, or the handle dropped, which waits for
    /// the messages in it. With Open MPI, and before MPI 4.1, this crate copies and sends the messages itself; other
    /// handles to the same communicator, the world, do not see the buffer there.
    ///
    /// # Errors
    /// As [`buffered::attach`](crate::buffered::attach).
    ///
    /// ```no_run
    /// use mpi::buffered;
    /// # let world = mpi::init()?;
    /// let library = world.dup()?;
    /// library.attach_buffer(10 * buffered::room_for::<f64>(3))?;
    /// library.bsend(&[1.0, 2.0, 3.0], 0, 0)?; // whatever buffer the rest of the program has
    /// library.flush_buffer()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Comm_attach_buffer")]
    pub fn attach_buffer(&self, bytes: usize) -> Result<()> {
        self.attach_as(|owner| Attached::memory(owner, bytes))
    }

    /// Lets MPI allocate what buffered sends on this communicator need, as they need it.
    ///
    /// `MPI_Comm_attach_buffer` with `MPI_BUFFER_AUTOMATIC` (MPI 4.1 §3.6).
    ///
    /// # Errors
    /// As [`buffered::attach_automatic`](crate::buffered::attach_automatic).
    #[doc(alias = "MPI_BUFFER_AUTOMATIC")]
    pub fn attach_automatic_buffer(&self) -> Result<()> {
        self.attach_as(Attached::automatic)
    }

    /// Waits until every message in this communicator's buffer is on its way, without limit, and frees the buffer. Returns
    /// its size in bytes, or 0 if MPI allocated by itself.
    ///
    /// `MPI_Comm_detach_buffer` (MPI 4.1 §3.6).
    ///
    /// # Errors
    /// As [`buffered::detach`](crate::buffered::detach).
    #[doc(alias = "MPI_Comm_detach_buffer")]
    pub fn detach_buffer(&self) -> Result<usize> {
        let owner = self.owner();
        live(owner.detach())?;
        let attached = take(&mut self.buffer().borrow_mut(), owner.detach())?;
        attached.take_back(owner).map(|attached| attached.bytes())
    }

    /// Waits until every message in this communicator's buffer is on its way, without limit: all of it is free then.
    ///
    /// `MPI_Comm_flush_buffer` (MPI 4.1 §3.6).
    ///
    /// # Errors
    /// As [`buffered::flush`](crate::buffered::flush).
    #[doc(alias = "MPI_Comm_flush_buffer")]
    pub fn flush_buffer(&self) -> Result<()> {
        let owner = self.owner();
        live(owner.flush())?;
        let mut place = self.buffer().borrow_mut();
        if place.is_none() {
            return Err(none(owner.flush()));
        }
        if owner.flushes() {
            // SAFETY: MPI is live.
            return unsafe { calls::flush(owner) };
        }
        let taken = take(&mut place, owner.flush())?.take_back(owner)?;
        let mut attached = ManuallyDrop::new(taken); // leaked on an error
        attached.attach_again(owner)?;
        *place = Some(ManuallyDrop::into_inner(attached));
        Ok(())
    }

    /// Starts to flush this communicator's buffer: the request is complete when every message in it is on its way.
    ///
    /// `MPI_Comm_iflush_buffer` (MPI 4.1 §3.6). Until then the buffer cannot be detached.
    ///
    /// # Errors
    /// As [`buffered::iflush`](crate::buffered::iflush).
    #[doc(alias = "MPI_Comm_iflush_buffer")]
    pub fn iflush_buffer(&self) -> Result<PendingFlush> {
        let owner = self.owner();
        live(owner.iflush())?;
        flushing::start(owner, self, self.buffer().borrow().as_ref())
    }

    fn attach_as(&self, attach: impl FnOnce(Owner) -> Result<Attached>) -> Result<()> {
        let owner = self.owner();
        live(owner.attach())?;
        let mut place = self.buffer().borrow_mut();
        require_vacant(&place, owner.attach())?;
        *place = Some(attach(owner)?);
        Ok(())
    }

    fn owner(&self) -> Owner {
        Owner::Communicator(self.raw())
    }
}

impl Attached {
    /// Detaches the buffer of a communicator that is going. MPI is live.
    pub(crate) fn leave(self, comm: crate::ffi::MPI_Comm) -> Result<()> {
        self.take_back(Owner::Communicator(comm)).map(drop)
    }
}
