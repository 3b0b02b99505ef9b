//! Blocking sends in the buffered and the ready mode (MPI 4.1 §3.4).
#![allow(unsafe_code)]

use super::{Destination, Tag, buffered};
use crate::buffer::SendBuf;
use crate::comm::Communicator;
use crate::error::Result;
use crate::ffi::{self, Call};

impl Communicator {
    /// Copies a message into the attached buffer and returns, whether anybody receives it or not.
    ///
    /// `MPI_Bsend` (MPI 4.1 §3.4). The buffer is the communicator's own ([`attach_buffer`](Communicator::attach_buffer)), or else
    /// the one of [`buffered::attach`](crate::buffered::attach).
    ///
    /// # Errors
    /// The destination or the tag is out of range; no buffer is attached, or it has no room left for the message
    /// (class `BUFFER`; what is in the buffer is sent all the same, and the buffer stays usable); or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::buffered;
    /// # let world = mpi::init()?;
    /// buffered::attach(buffered::room_for::<f64>(100))?;
    /// world.bsend(&[0.5; 100], (world.rank() + 1) % world.size(), 0)?; // never waits for a receiver
    /// let got = world.recv_vec::<f64>(mpi::Source::ANY, 0)?;
    /// buffered::detach()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Bsend")]
    #[inline(always)]
    pub fn bsend<B>(&self, buf: &B, dest: impl Into<Destination>, tag: impl Into<Tag>) -> Result<()>
    where
        B: SendBuf + ?Sized,
    {
        if buffered::is_own(self) {
            return self.send_copy(&"MPI_Bsend", buf, dest.into(), tag.into());
        }
        // SAFETY: this mode asks for nothing of its caller: without room it is an error.
        unsafe { self.send_by(&"MPI_Bsend", ffi::MPI_Bsend, buf, dest.into(), tag.into()) }
    }

    /// Sends a message to a receiver that is known to wait for it already.
    ///
    /// `MPI_Rsend` (MPI 4.1 §3.4).
    ///
    /// # Safety
    /// When this is called, a receive that matches the message is posted at the destination, which something else has
    /// told this rank: a barrier after the receive was started, or a message from the receiver. Without it, what
    /// happens is undefined.
    ///
    /// # Errors
    /// As [`send`](Communicator::send).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut x = 0;
    /// world.scope(|s| {
    ///     let incoming = if world.rank() == 1 { Some(s.irecv(&mut x, 0, 0)?) } else { None };
    ///     world.barrier()?; // rank 1 has posted its receive
    ///     if world.rank() == 0 {
    ///         // SAFETY: the receive is posted, as the barrier says.
    ///         unsafe { world.rsend(&7, 1, 0) }?;
    ///     }
    ///     incoming.map_or(Ok(()), |request| request.wait().map(|_| ()))
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Rsend")]
    #[inline(always)]
    pub unsafe fn rsend<B>(&self, buf: &B, dest: impl Into<Destination>, tag: impl Into<Tag>) -> Result<()>
    where
        B: SendBuf + ?Sized,
    {
        // SAFETY: a matching receive is posted, by this function's contract.
        unsafe { self.send_by(&"MPI_Rsend", ffi::MPI_Rsend, buf, dest.into(), tag.into()) }
    }

    /// `bsend` without the library's buffered mode.
    fn send_copy<B>(&self, call: Call, buf: &B, dest: Destination, tag: Tag) -> Result<()>
    where
        B: SendBuf + ?Sized,
    {
        let (dest, tag) = (dest.raw(call, self.peers())?, tag.raw(call)?);
        let region = buf.region()?;
        // SAFETY: initialized memory of `len` elements, borrowed for the call (`SendBuf`); peer and tag were checked
        // above; the communicator is valid while its handle exists.
        unsafe { buffered::send_copy(call, region, region.len * size_of::<B::Elem>(), (dest, tag), self) }
    }
}
