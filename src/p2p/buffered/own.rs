//! The buffered mode, made of sends of copies, for a library whose own mode cannot be used.
//!
//! Open MPI (4.1.4, 5.0.11) gives a message its number before it looks for room. A buffered send that finds none
//! fails, as it should, but its number is gone, and the receiver waits for that message before it looks at any later
//! one from this rank: an `Err` here would be a hang there. So the room is looked for first, by this crate. The same serves
//! buffers of communicators where the library has none.
#![allow(unsafe_code)]

use super::OVERHEAD;
use super::attached::Block;
use crate::buffer::Region;
use crate::error::{Error, Needs, Result};
use crate::ffi::{self, Call, MPI_Comm, MPI_Request, check};
use std::mem::ManuallyDrop;
use std::os::raw::{c_int, c_void};

/// Memory that copies of messages lie in until they are on their way.
pub(super) struct Pool {
    blocks: Vec<Block>,
    bytes: usize,
    /// In the order in which they lie in memory.
    sends: Vec<Sent>,
}

/// A copy on its way.
struct Sent {
    request: MPI_Request,
    start: usize,
    end: usize,
}

// SAFETY: a handle names a request from every thread, where MPI allows several; the memory is reached through the pool
// alone.
unsafe impl Send for Pool {}

impl Pool {
    pub(super) fn new(blocks: Vec<Block>, bytes: usize) -> Self {
        Pool { blocks, bytes, sends: Vec::new() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Copies a message and starts to send the copy.
    ///
    /// # Safety
    /// `region` describes initialized memory that may be read during the call, of `bytes` bytes in all; peer and tag
    /// were checked; the communicator is valid.
    pub(super) unsafe fn send(
        &mut self,
        call: Call,
        region: Region,
        bytes: usize,
        (dest, tag, comm): (c_int, c_int, MPI_Comm),
    ) -> Result<()> {
        let len = c_int::try_from(bytes).map_err(|_| Error::unsupported(call, Needs::LargeCount))?;
        let (count, datatype) = (region.count as c_int, region.datatype.0); // no more than there are bytes
        let (place, start, end) = self.room(bytes).ok_or_else(|| super::no_room(call, bytes))?;
        let copy = self.address(start);
        let mut packed = 0;
        // SAFETY: memory that may be read, by this function's contract, and `len` free bytes of the pool.
        let code = unsafe { ffi::MPI_Pack(region.ptr, count, datatype, copy, len, &raw mut packed, comm) };
        check(&"MPI_Pack", code)?;
        let mut request = ffi::MPI_REQUEST_NULL;
        // SAFETY: the copy stays where it is, and is left alone, until the request is complete.
        let code =
            unsafe { ffi::MPI_Isend(copy, packed, ffi::MPI_PACKED, dest, tag, comm, &raw mut request) };
        check(call, code)?;
        self.sends.insert(place, Sent { request, start, end });
        Ok(())
    }

    /// The first free place for a message of `len` bytes: its index among the sends, its start and end.
    fn room(&mut self, len: usize) -> Option<(usize, usize, usize)> {
        self.forget_what_is_complete();
        let len = len.next_multiple_of(align_of::<Block>()) + OVERHEAD;
        let mut start = 0;
        for (i, sent) in self.sends.iter().enumerate() {
            if sent.start - start >= len {
                return Some((i, start, start + len));
            }
            start = sent.end;
        }
        (self.bytes - start >= len).then_some((self.sends.len(), start, start + len))
    }

    fn forget_what_is_complete(&mut self) {
        self.sends.retain_mut(|sent| {
            let mut complete = 0;
            // SAFETY: a valid handle. An error has nobody to go to; the handle tells whether the memory is free.
            unsafe { ffi::MPI_Test(&raw mut sent.request, &raw mut complete, ffi::MPI_STATUS_IGNORE.cast()) };
            sent.request != ffi::MPI_REQUEST_NULL
        });
    }

    fn address(&mut self, start: usize) -> *mut c_void {
        self.blocks.as_mut_ptr().cast::<u8>().wrapping_add(start).cast()
    }

    /// Waits until every message is on its way, without limit. If MPI fails to say so of one, the memory is leaked.
    pub(super) fn finish(self) -> Result<Self> {
        let mut pool = ManuallyDrop::new(self);
        for sent in &mut pool.sends {
            // SAFETY: a valid handle.
            let code = unsafe { ffi::MPI_Wait(&raw mut sent.request, ffi::MPI_STATUS_IGNORE.cast()) };
            check(&"MPI_Wait", code)?;
        }
        pool.sends.clear();
        Ok(ManuallyDrop::into_inner(pool))
    }
}
