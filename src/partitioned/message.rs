//! A partitioned message, at either end: what it owns or borrows, starting it, waiting for it.
#![allow(unsafe_code)]

use super::channel::Channel;
use crate::environment::report;
use crate::error::Result;
use crate::persistent::{Lent, Owned};
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

/// One end of a partitioned message: a [`PartitionedSend`](super::PartitionedSend) or a
/// [`PartitionedRecv`](super::PartitionedRecv), which owns its buffer or borrows it for the life of a scope.
///
/// # Dropping it
/// A message that is dropped in flight makes every partition ready and waits. If an error of this crate came up on this
/// thread since the start (an early `?`), it is polled up to the
/// [stall limit](crate::environment::set_stall_limit), and if it is then still in flight the job ends, with a line that
/// names call, peer and tag. While a thread panics nothing waits: a buffer that MPI still uses is leaked, or if it is
/// borrowed, the scope's business.
pub struct Partitioned<'c, T, W, H = Owned> {
    pub(super) channel: Channel<'c, T>,
    kind: PhantomData<(W, H)>,
}

/// A [`Partitioned`] message that was started. Dropping it makes every partition ready and waits
/// ([how](Partitioned#dropping-it)).
#[must_use = "dropping it makes every partition ready and waits: say so with `.wait()`"]
pub struct Started<'p, 'c, T, W, H = Owned> {
    pub(super) message: &'p mut Partitioned<'c, T, W, H>,
}

impl<'c, T, W, H> Partitioned<'c, T, W, H> {
    pub(super) fn new(channel: Channel<'c, T>) -> Self {
        Partitioned { channel, kind: PhantomData }
    }

    /// Starts the message. Of a send nothing travels before a partition is ready.
    ///
    /// `MPI_Start` (MPI 4.1 §4.2.1). Waits first if what the last start gave was forgotten.
    ///
    /// # Errors
    /// What MPI reports, also of an earlier message that was dropped in flight.
    #[doc(alias = "MPI_Start")]
    pub fn start(&mut self) -> Result<Started<'_, 'c, T, W, H>> {
        self.channel.complete()?;
        self.channel.start()?;
        Ok(Started { message: self })
    }

    /// The buffer.
    ///
    /// # Errors
    /// What MPI reports of a message that was dropped or forgotten, which is completed first.
    pub fn buffer(&self) -> Result<&[T]> {
        self.channel.complete()?;
        // SAFETY: not active, and starting or writing needs `&mut self`.
        Ok(unsafe { self.channel.slice() })
    }

    /// The buffer, to be written.
    ///
    /// # Errors
    /// As [`buffer`](Partitioned::buffer).
    pub fn buffer_mut(&mut self) -> Result<&mut [T]> {
        self.channel.complete()?;
        // SAFETY: not active, and exclusively borrowed.
        Ok(unsafe { self.channel.slice_mut() })
    }
}

impl<T, W> Partitioned<'_, T, W> {
    /// Frees the request and gives the buffer back.
    ///
    /// `MPI_Request_free` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// As [`buffer`](Partitioned::buffer); the buffer is then dropped, as soon as MPI lets go of it.
    #[doc(alias = "MPI_Request_free")]
    pub fn into_inner(mut self) -> Result<Vec<T>> {
        self.channel.complete()?;
        let array = self.channel.take()?.expect("taken only here");
        // SAFETY: of a message that owns its buffer it is a `Vec<T>`, which MPI does not use (`take`).
        Ok(unsafe { array.into_vec() })
    }
}

impl<'s, T, W> Partitioned<'s, T, W, Lent<'s>> {
    /// Frees the request and gives the borrow back, before the scope ends.
    ///
    /// `MPI_Request_free` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// As [`buffer`](Partitioned::buffer).
    #[doc(alias = "MPI_Request_free")]
    pub fn into_inner(mut self) -> Result<&'s mut [T]> {
        self.channel.complete()?;
        let array = self.channel.take()?.expect("taken only here");
        // SAFETY: of a message of a scope it is a `&'s mut [T]`, which is given back here and once; MPI does not use it
        // (`take`).
        Ok(unsafe { array.slice_mut() })
    }
}

impl<T, W, H> Drop for Partitioned<'_, T, W, H> {
    fn drop(&mut self) {
        self.channel.complete_dropped();
        let retired = self.channel.retire(); // what is active stays MPI's
        if let Some(error) = self.channel.unseen().or(retired.err()) {
            let call = self.channel.call();
            report(format_args!("a message of {call} was dropped, and failed: {error}"));
        }
    }
}

impl<T, W, H> fmt::Debug for Partitioned<'_, T, W, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partitioned").field("channel", &self.channel).finish()
    }
}

impl<T, W, H> Started<'_, '_, T, W, H> {
    /// Makes ready what is not, if it is a send; then waits, without limit, until all of the message is sent or received.
    ///
    /// `MPI_Wait` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Wait")]
    pub fn wait(self) -> Result<()> {
        ManuallyDrop::new(self).message.channel.complete()
    }
}

impl<T, W, H> Drop for Started<'_, '_, T, W, H> {
    fn drop(&mut self) {
        self.message.channel.complete_dropped();
    }
}

impl<T, W, H> fmt::Debug for Started<'_, '_, T, W, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Started").field("message", &self.message.channel).finish()
    }
}
