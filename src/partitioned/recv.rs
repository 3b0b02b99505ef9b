//! The receiving end: partitions that are read as they arrive.
#![allow(unsafe_code)]

use super::calls::{self, MPI_Parrived, MPI_Precv_init};
use super::channel::Channel;
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::environment::live;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use crate::p2p::{Destination, Source, Tag};
use std::fmt;
use std::mem::ManuallyDrop;
use std::os::raw::c_int;

/// A partitioned receive that owns its buffer. See [`Communicator::precv_init`].
///
/// Dropping it waits; while a thread panics, a buffer that MPI still uses is leaked.
#[derive(Debug)]
pub struct PartitionedRecv<'c, T> {
    channel: Channel<'c, T>,
}

impl Communicator {
    /// Makes a receive into a buffer in equal partitions, which can be started again and again.
    ///
    /// `MPI_Precv_init` (MPI 4.1 §4.2.1). The buffer is a `Vec`, a boxed slice or an array, which is moved to the heap. The
    /// sender's buffer must be as large; it may be cut into another number of partitions. There are no wildcards.
    ///
    /// # Errors
    /// The buffer cannot be cut evenly; the source or the tag is out of range; the library has no partitioned
    /// communication (MPI 4.0); or what MPI reports. The buffer is then dropped.
    #[doc(alias = "MPI_Precv_init")]
    pub fn precv_init<T: AnyBits>(
        &self,
        buffer: impl Into<Vec<T>>,
        partitions: usize,
        source: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PartitionedRecv<'_, T>> {
        const CALL: Call = &"MPI_Precv_init";
        calls::available(CALL)?;
        let source = Source::from(source.into().rank());
        let nowhere = source.is_nowhere();
        let (source, tag, comm) = (source.raw(CALL, self.peers())?, tag.into().raw(CALL)?, self.raw());
        let channel = Channel::new(CALL, buffer.into(), partitions, nowhere, |init| {
            // SAFETY: an owned buffer, which is freed only when no request refers to it; peer and tag were checked; the
            // communicator is borrowed by the channel.
            unsafe {
                MPI_Precv_init(
                    init.buf,
                    init.parts,
                    init.count,
                    init.datatype,
                    source,
                    tag,
                    comm,
                    ffi::MPI_INFO_NULL,
                    init.request,
                )
            }
        })?;
        Ok(PartitionedRecv { channel })
    }
}

impl<'c, T> PartitionedRecv<'c, T> {
    /// Starts to receive.
    ///
    /// `MPI_Start` (MPI 4.1 §4.2.1). Waits first if what the last start gave was forgotten.
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Start")]
    pub fn start(&mut self) -> Result<Arriving<'_, 'c, T>> {
        self.complete()?;
        self.channel.start()?;
        Ok(Arriving { recv: self })
    }

    /// The buffer.
    ///
    /// # Errors
    /// What MPI reports of a message that was forgotten, which is completed first.
    pub fn buffer(&self) -> Result<&[T]> {
        self.complete()?;
        // SAFETY: not active, and starting or writing needs `&mut self`.
        Ok(unsafe { self.channel.slice() })
    }

    /// The buffer, to be written.
    ///
    /// # Errors
    /// As [`buffer`](PartitionedRecv::buffer).
    pub fn buffer_mut(&mut self) -> Result<&mut [T]> {
        self.complete()?;
        // SAFETY: not active, and exclusively borrowed.
        Ok(unsafe { self.channel.slice_mut() })
    }

    /// Frees the request and gives the buffer back.
    ///
    /// `MPI_Request_free` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// As [`buffer`](PartitionedRecv::buffer); the buffer is then dropped, as soon as MPI lets go of it.
    #[doc(alias = "MPI_Request_free")]
    pub fn into_inner(mut self) -> Result<Vec<T>> {
        self.complete()?;
        Ok(self.channel.retire()?.expect("complete, and retired only here and by a drop"))
    }

    fn complete(&self) -> Result<()> {
        if self.channel.is_active() { self.channel.wait() } else { Ok(()) }
    }
}

impl<T> Drop for PartitionedRecv<'_, T> {
    fn drop(&mut self) {
        if self.channel.is_active() && std::thread::panicking() {
            return; // leaks the buffer
        }
        if let Err(error) = self.complete().and_then(|()| self.channel.retire().map(drop)) {
            crate::environment::report(format_args!(
                "a partitioned receive was dropped, and failed: {error}"
            ));
        }
    }
}

/// A started [`PartitionedRecv`]. Dropping it waits.
#[must_use = "dropping it waits: say so with `.wait()`"]
pub struct Arriving<'p, 'c, T> {
    recv: &'p mut PartitionedRecv<'c, T>,
}

impl<T> Arriving<'_, '_, T> {
    /// One partition, if it has arrived.
    ///
    /// `MPI_Parrived` (MPI 4.1 §4.2.2). Also drives progress.
    ///
    /// # Errors
    /// There is no such partition; or what MPI reports.
    #[doc(alias = "MPI_Parrived")]
    pub fn arrived(&self, index: usize) -> Result<Option<&[T]>> {
        const CALL: Call = &"MPI_Parrived";
        let elements = self.recv.channel.part(CALL, index)?;
        live(CALL)?;
        let mut arrived = 1;
        if let Some(request) = self.recv.channel.request() {
            // SAFETY: an active partitioned receive and one of its partitions; the out-argument is ours.
            check(CALL, unsafe { MPI_Parrived(request, index as c_int, &raw mut arrived) })?;
        }
        if arrived == 0 {
            return Ok(None);
        }
        // SAFETY: it has arrived, so MPI does not write to it before the next start, which needs `&mut`.
        Ok(Some(unsafe { elements.as_ref() }))
    }

    /// Waits until every partition has arrived, without limit.
    ///
    /// `MPI_Wait` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Wait")]
    pub fn wait(self) -> Result<()> {
        ManuallyDrop::new(self).recv.complete()
    }
}

impl<T> Drop for Arriving<'_, '_, T> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = self.recv.complete(); // the next use finds out whether the buffer is MPI's
        }
    }
}

impl<T> fmt::Debug for Arriving<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arriving").field("recv", &self.recv.channel).finish()
    }
}
