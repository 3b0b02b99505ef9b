//! Nonblocking sends in the synchronous, buffered and ready mode (MPI 4.1 §3.7.2).

use super::{Operation, Scope};
use crate::buffer::LendSend;
use crate::error::Result;
use crate::ffi;
use crate::p2p::{Destination, Tag, buffered};
use crate::request::{SendLoan, SendRequest};

impl<'s> Scope<'s, '_> {
    /// Starts to send; complete when the receiver has started to receive. The borrow comes back from `wait`.
    ///
    /// `MPI_Issend` (MPI 4.1 §3.7.2).
    ///
    /// # Errors
    /// As [`isend`](Scope::isend).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// world.scope(|s| {
    ///     let request = s.issend(&[1, 2, 3], 1, 0)?;
    ///     // work …
    ///     request.wait()?; // rank 1 is receiving
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Issend")]
    #[inline(always)]
    pub fn issend<B: LendSend<'s>>(
        self,
        buf: B,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<SendRequest<'s, B>> {
        const ISSEND: &Operation = &Operation { call: "MPI_Issend", receives: false };
        // SAFETY: the synchronous mode asks for nothing of its caller.
        unsafe { self.post_send(ISSEND, ffi::MPI_Issend, buf, dest.into(), tag.into()) }
    }

    /// Starts to send through the attached buffer: complete when the message is copied, whether anybody receives it or
    /// not. The borrow comes back from `wait`.
    ///
    /// `MPI_Ibsend` (MPI 4.1 §3.7.2). The buffer is the one of [`buffered::attach`](crate::buffered::attach).
    ///
    /// # Errors
    /// As [`bsend`](crate::Communicator::bsend).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// mpi::buffered::attach(mpi::buffered::room_for::<i32>(3))?;
    /// world.scope(|s| s.ibsend(&[1, 2, 3], 1, 0)?.wait().map(|_| ()))?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Ibsend")]
    #[inline(always)]
    pub fn ibsend<B: LendSend<'s>>(
        self,
        buf: B,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<SendRequest<'s, B>> {
        const IBSEND: &Operation = &Operation { call: "MPI_Ibsend", receives: false };
        if buffered::is_own(self.comm) {
            return self.post_copy(IBSEND, buf, dest.into(), tag.into());
        }
        // SAFETY: the buffered mode asks for nothing of its caller: without room it is an error.
        unsafe { self.post_send(IBSEND, ffi::MPI_Ibsend, buf, dest.into(), tag.into()) }
    }

    /// Starts to send to a receiver that is known to wait for it already. The borrow comes back from `wait`.
    ///
    /// `MPI_Irsend` (MPI 4.1 §3.7.2).
    ///
    /// # Safety
    /// As of [`rsend`](crate::Communicator::rsend): when this is called, a receive that matches the message is posted at
    /// the destination.
    ///
    /// # Errors
    /// As [`isend`](Scope::isend).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// world.scope(|s| {
    ///     world.barrier()?; // before which rank 1 has posted its receive
    ///     // SAFETY: as the barrier says.
    ///     unsafe { s.irsend(&[1, 2, 3], 1, 0) }?.defer();
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Irsend")]
    #[inline(always)]
    pub unsafe fn irsend<B: LendSend<'s>>(
        self,
        buf: B,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<SendRequest<'s, B>> {
        const IRSEND: &Operation = &Operation { call: "MPI_Irsend", receives: false };
        // SAFETY: a matching receive is posted, by this function's contract.
        unsafe { self.post_send(IRSEND, ffi::MPI_Irsend, buf, dest.into(), tag.into()) }
    }

    /// `ibsend` without the library's buffered mode: complete as soon as the message is copied.
    fn post_copy<B: LendSend<'s>>(
        self,
        mode: &'static Operation,
        buf: B,
        dest: Destination,
        tag: Tag,
    ) -> Result<SendRequest<'s, B>> {
        let (dest, tag) = (dest.raw(mode.call(), self.comm.peers())?, tag.raw(mode.call())?);
        let (region, raw) = buf.lend()?;
        let bytes = region.len * size_of::<B::Elem>();
        self.post(mode, (dest, tag), SendLoan::new(raw), |_| {
            // SAFETY: initialized memory of `len` elements, borrowed for `'s` (`LendSend`); peer and tag were checked
            // above; the communicator is borrowed for `'s`.
            unsafe { buffered::send_copy(mode.call(), region, bytes, (dest, tag), self.comm) }
        })
    }
}
