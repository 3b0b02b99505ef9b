//! Sending from the buffer that is received into (MPI 4.1 §3.10).
#![allow(unsafe_code)]

use super::{Destination, Received, Source, Tag, TagPattern};
use crate::buffer::{RecvBuf, SendBuf};
use crate::comm::Communicator;
use crate::error::Result;
use crate::ffi::{self, Call};
use crate::status::Status;
use std::ptr::NonNull;

impl Communicator {
    /// Sends what is in a buffer, and receives another message into its place.
    ///
    /// `MPI_Sendrecv_replace` (MPI 4.1 §3.10). MPI copies what is sent on the way. A message that is shorter than the
    /// buffer leaves the rest as it was.
    ///
    /// # Errors
    /// As [`sendrecv`](Communicator::sendrecv).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (next, previous) = ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    /// let mut block = vec![world.rank(); 100];
    /// world.sendrecv_replace(&mut block, next, 0, previous, 0)?;
    /// assert_eq!(block, vec![previous; 100]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Sendrecv_replace")]
    pub fn sendrecv_replace<'b, B>(
        &self,
        buf: &'b mut B,
        dest: impl Into<Destination>,
        send_tag: impl Into<Tag>,
        source: impl Into<Source>,
        recv_tag: impl Into<TagPattern>,
    ) -> Result<Received<B::Filled<'b>>>
    where
        B: SendBuf + RecvBuf + ?Sized,
    {
        let call: Call = &"MPI_Sendrecv_replace";
        let (dest, send_tag) = (dest.into().raw(call, self.peers())?, send_tag.into().raw(call)?);
        let (source, recv_tag) = (source.into().raw(call, self.peers())?, recv_tag.into().raw(call)?);
        let mut buf = NonNull::from(buf);
        // SAFETY: `buf` was `&'b mut B` a line above.
        let region = RecvBuf::region(unsafe { buf.as_mut() })?;
        let mut status = Status::empty();
        region.call(call, |count, datatype| {
            // SAFETY: the memory is exclusively borrowed for the call (`RecvBuf`), and initialized (`SendBuf`); peers
            // and tags were checked above; the communicator is valid while its handle exists.
            unsafe {
                ffi::MPI_Sendrecv_replace(
                    region.ptr,
                    count,
                    datatype,
                    dest,
                    send_tag,
                    source,
                    recv_tag,
                    self.raw(),
                    &raw mut status,
                )
            }
        })?;
        let status = Status::from_raw(status);
        let received = if B::COUNTS { status.whole::<<B as RecvBuf>::Elem>() } else { 0 };
        // SAFETY: `buf` was `&'b mut B`, the call is over, and MPI wrote what its status counts.
        Ok(Received { data: unsafe { B::filled(buf, received) }, status })
    }
}
