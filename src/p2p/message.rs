//! A message that was taken off the queue, and must be received (MPI 4.1 §3.8.3).
#![allow(unsafe_code)]

use super::Received;
use super::blocking::one_value;
use crate::buffer::zeroed::{vec_from_bits, zeroed};
use crate::buffer::{RecvBuf, Region};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::environment::live;
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Message};
use crate::status::Status;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

const CALL: Call = &"MPI_Mrecv";

/// A message that [`mprobe`](Communicator::mprobe) or [`improbe`](Communicator::improbe) has taken off the queue.
///
/// It is to be received, here or by [`Scope::imrecv`](crate::Scope::imrecv): no other receive can get it. One that is
/// dropped is received and thrown away, which waits until all of it has arrived; so is one whose receive was refused by
/// a check before MPI was called. While the thread panics nothing is waited for, and the message stays with MPI, as it
/// does if the `Message` is forgotten.
#[must_use = "a message that is dropped is received and thrown away"]
#[doc(alias = "MPI_Message")]
pub struct Message<'c> {
    /// Null when it was received.
    raw: MPI_Message,
    status: Status,
    comm: PhantomData<&'c Communicator>,
}

impl<'c> Message<'c> {
    /// What a matched probe on `comm` has returned.
    pub(super) fn matched(_comm: &'c Communicator, raw: MPI_Message, status: Status) -> Self {
        Message { raw, status, comm: PhantomData }
    }

    /// Where the message came from, its tag and length. From nowhere (`MPI_MESSAGE_NO_PROC`): no source, and length 0.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The handle, which a receive replaces by null.
    pub(crate) fn raw(&mut self) -> *mut MPI_Message {
        &raw mut self.raw
    }

    /// Receives the message into a buffer and returns it with the status.
    ///
    /// `MPI_Mrecv` (MPI 4.1 §3.8.3).
    ///
    /// # Errors
    /// The message is longer than the buffer (class `TRUNCATE`; the message is gone, the buffer stays usable); or what
    /// MPI reports.
    #[doc(alias = "MPI_Mrecv")]
    pub fn recv_into<'b, B>(mut self, buf: &'b mut B) -> Result<Received<B::Filled<'b>>>
    where
        B: RecvBuf + ?Sized,
    {
        let mut buf = NonNull::from(buf);
        // SAFETY: `buf` was `&'b mut B` a line above.
        let region = unsafe { buf.as_mut() }.region()?;
        let status = self.receive(region)?;
        let received = if B::COUNTS { status.whole::<B::Elem>() } else { 0 };
        // SAFETY: `buf` was `&'b mut B`, the receive is over, and MPI wrote what its status counts.
        Ok(Received { data: unsafe { B::filled(buf, received) }, status })
    }

    /// Receives the message as one value, which is checked as by [`Communicator::recv`].
    ///
    /// `MPI_Mrecv` (MPI 4.1 §3.8.3).
    ///
    /// # Errors
    /// The message is longer or shorter than one value, or its bytes are not a value of `T` (it is consumed); or what
    /// MPI reports.
    #[doc(alias = "MPI_Mrecv")]
    pub fn recv<T: FromBits>(mut self) -> Result<Received<T>> {
        let mut bits = zeroed::<T::Bits>();
        let status = self.receive(Region::contiguous::<T>((&raw mut bits).cast(), 1))?;
        one_value(CALL, bits, status)
    }

    /// Receives the message into a new vector of its length; its values are checked as by
    /// [`Communicator::recv_vec`].
    ///
    /// `MPI_Mrecv` (MPI 4.1 §3.8.3).
    ///
    /// # Errors
    /// The message does not bring whole values, or values that are none of `T` (it is consumed); or what MPI reports.
    #[doc(alias = "MPI_Mrecv")]
    pub fn recv_vec<T: FromBits>(mut self) -> Result<Received<Vec<T>>> {
        let Some(count) = self.status.count::<T>() else {
            let bytes = self.status.whole::<u8>();
            self.discard()?;
            return Err(Error::broken(CALL, bytes, size_of::<T>()));
        };
        let mut bits: Vec<T::Bits> = Vec::with_capacity(count);
        let status = self.receive(Region::contiguous::<T>(bits.as_mut_ptr().cast(), count))?;
        // SAFETY: the message was measured to bring `count` values, and MPI has received all of it; any bits are a
        // `T::Bits`.
        unsafe { bits.set_len(count) };
        let data = vec_from_bits(bits).map_err(|index| Error::invalid(CALL, index))?;
        Ok(Received { data, status })
    }

    /// `MPI_Mrecv` into a region that whoever calls holds exclusively.
    fn receive(&mut self, region: Region) -> Result<Status> {
        live(CALL)?;
        let mut status = Status::empty();
        let message = &raw mut self.raw;
        region.call(CALL, |count, datatype| {
            // SAFETY: a matched message that was not received yet, since every receive consumes it; the callers pass
            // memory that they hold exclusively until this returns.
            unsafe { ffi::MPI_Mrecv(region.ptr, count, datatype, message, &raw mut status) }
        })?;
        Ok(Status::from_raw(status))
    }

    /// Receives the message and throws it away.
    fn discard(&mut self) -> Result<()> {
        live(CALL)?;
        let len = self.status.whole::<u8>();
        let mut scratch: Vec<u8> = Vec::with_capacity(len);
        self.receive(Region::contiguous(scratch.as_mut_ptr(), len)).map(|_| ())
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        // Else MPI keeps a message that nobody can receive, and a sender may wait for ever.
        if self.raw != ffi::MPI_MESSAGE_NULL && !std::thread::panicking() {
            let _ = self.discard(); // nobody is left to tell; the message is gone or MPI is
        }
    }
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("status", &self.status).finish_non_exhaustive()
    }
}
