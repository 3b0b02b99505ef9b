//! The sending end: partitions that are filled by whoever holds their token.
#![allow(unsafe_code)]

use super::calls::{self, MPI_Pready, MPI_Pready_list, MPI_Pready_range, MPI_Psend_init};
use super::channel::Channel;
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::environment::usable_here;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Request, check};
use crate::p2p::{Destination, Tag};
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut, Range};
use std::os::raw::c_int;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

const PREADY: Call = &"MPI_Pready";

/// Nobody has said that the partition is ready.
const EMPTY: u8 = 0;
/// It is ready, and MPI must still be told.
const FILLED: u8 = 1;
/// MPI was told.
const READY: u8 = 2;

/// A partitioned send that owns its buffer. See [`Communicator::psend_init`].
///
/// Dropping it waits; while a thread panics, a buffer that MPI still uses is leaked.
#[derive(Debug)]
pub struct PartitionedSend<'c, T> {
    channel: Channel<'c, T>,
    states: Box<[AtomicU8]>,
}

impl Communicator {
    /// Makes a send of a buffer in equal partitions, which can be started again and again.
    ///
    /// `MPI_Psend_init` (MPI 4.1 §4.2.1). The buffer is a `Vec`, a boxed slice or an array, which is moved to the heap.
    ///
    /// # Errors
    /// The buffer cannot be cut evenly; the destination or the tag is out of range; the library has no partitioned
    /// communication (MPI 4.0); or what MPI reports. The buffer is then dropped.
    #[doc(alias = "MPI_Psend_init")]
    pub fn psend_init<T: Datatype>(
        &self,
        buffer: impl Into<Vec<T>>,
        partitions: usize,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PartitionedSend<'_, T>> {
        const CALL: Call = &"MPI_Psend_init";
        calls::available(CALL)?;
        let dest = dest.into();
        let nowhere = dest.is_nowhere();
        let (dest, tag, comm) = (dest.raw(CALL, self.peers())?, tag.into().raw(CALL)?, self.raw());
        let channel = Channel::new(CALL, buffer.into(), partitions, nowhere, |init| {
            // SAFETY: an owned buffer, which is freed only when no request refers to it; peer and tag were checked; the
            // communicator is borrowed by the channel.
            unsafe {
                MPI_Psend_init(
                    init.buf,
                    init.parts,
                    init.count,
                    init.datatype,
                    dest,
                    tag,
                    comm,
                    ffi::MPI_INFO_NULL,
                    init.request,
                )
            }
        })?;
        let states = (0..partitions).map(|_| AtomicU8::new(EMPTY)).collect();
        Ok(PartitionedSend { channel, states })
    }
}

impl<'c, T> PartitionedSend<'c, T> {
    /// Starts the message. Nothing travels before a partition is ready.
    ///
    /// `MPI_Start` (MPI 4.1 §4.2.1). Waits first if the last [`Filling`] was forgotten.
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Start")]
    pub fn start(&mut self) -> Result<Filling<'_, 'c, T>> {
        self.complete()?;
        self.states.iter_mut().for_each(|state| *state.get_mut() = EMPTY);
        self.channel.start()?;
        Ok(Filling { send: self })
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
    /// As [`buffer`](PartitionedSend::buffer).
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
    /// As [`buffer`](PartitionedSend::buffer); the buffer is then dropped, as soon as MPI lets go of it.
    #[doc(alias = "MPI_Request_free")]
    pub fn into_inner(mut self) -> Result<Vec<T>> {
        self.complete()?;
        Ok(self.channel.retire()?.expect("complete, and retired only here and by a drop"))
    }

    /// Makes ready whatever nobody has, which includes partitions whose tokens were forgotten, then waits. No token is
    /// alive: they borrow the [`Filling`], which borrows `self`.
    fn complete(&self) -> Result<()> {
        if !self.channel.is_active() {
            return Ok(());
        }
        for (i, state) in self.states.iter().enumerate() {
            if state.load(Ordering::Acquire) != READY {
                if let Some(request) = self.channel.request() {
                    check(PREADY, pready(i, request))?;
                }
                state.store(READY, Ordering::Relaxed);
            }
        }
        self.channel.wait()
    }
}

/// Tells MPI. The caller may call MPI.
fn pready(index: usize, request: MPI_Request) -> c_int {
    // SAFETY: an active partitioned send, a partition of it that MPI was not told of: the states see to that.
    unsafe { MPI_Pready(index as c_int, request) }
}

impl<T> Drop for PartitionedSend<'_, T> {
    fn drop(&mut self) {
        if self.channel.is_active() && std::thread::panicking() {
            return; // leaks the buffer
        }
        if let Err(error) = self.complete().and_then(|()| self.channel.retire().map(drop)) {
            crate::environment::report(format_args!("a partitioned send was dropped, and failed: {error}"));
        }
    }
}

/// A started [`PartitionedSend`]. Dropping it makes every partition ready and waits.
#[must_use = "dropping it makes every partition ready and waits: say so with `.wait()`"]
pub struct Filling<'p, 'c, T> {
    send: &'p mut PartitionedSend<'c, T>,
}

impl<T> Filling<'_, '_, T> {
    /// The partitions that are not ready, each to be filled by whoever holds it, on any thread.
    pub fn partitions(&mut self) -> impl Iterator<Item = Partition<'_, T>> {
        let send = &*self.send;
        let empty = |(_, state): &(usize, &AtomicU8)| state.load(Ordering::Acquire) == EMPTY;
        send.states.iter().enumerate().filter(empty).filter_map(|(index, state)| {
            let elements = send.channel.part(PREADY, index).ok()?;
            Some(Partition { elements, index, request: send.channel.request(), state })
        })
    }

    /// The elements of one partition that is not ready.
    ///
    /// # Errors
    /// There is no such partition, or it is ready.
    pub fn partition(&mut self, index: usize) -> Result<&mut [T]> {
        let mut elements = self.send.channel.part(PREADY, index)?;
        self.not_ready(PREADY, index)?;
        // SAFETY: MPI reads it only when it is ready, and no token is alive, since `self` is exclusively borrowed.
        Ok(unsafe { elements.as_mut() })
    }

    /// Makes partitions ready.
    ///
    /// `MPI_Pready_range` (MPI 4.1 §4.2.1), once.
    ///
    /// # Errors
    /// There are no such partitions, or one of them is ready already; or what MPI reports.
    #[doc(alias("MPI_Pready_range", "MPI_Pready"))]
    pub fn ready(&mut self, range: Range<usize>) -> Result<()> {
        const CALL: Call = &"MPI_Pready_range";
        self.send.channel.check(CALL, &range)?;
        range.clone().try_for_each(|index| self.not_ready(CALL, index))?;
        if let (Some(request), false) = (self.send.channel.request(), range.is_empty()) {
            // SAFETY: an active partitioned send, and partitions of it that MPI was not told of.
            let code = unsafe { MPI_Pready_range(range.start as c_int, range.end as c_int - 1, request) };
            check(CALL, code)?;
        }
        range.for_each(|index| self.send.states[index].store(READY, Ordering::Relaxed));
        Ok(())
    }

    /// Makes the partitions of a list ready.
    ///
    /// `MPI_Pready_list` (MPI 4.1 §4.2.1), once.
    ///
    /// # Errors
    /// There is no such partition, or it is ready already, or twice in the list; or what MPI reports. Then nothing of the
    /// list is ready.
    #[doc(alias = "MPI_Pready_list")]
    pub fn ready_list(&mut self, list: &[usize]) -> Result<()> {
        const CALL: Call = &"MPI_Pready_list";
        let PartitionedSend { channel, states } = &*self.send;
        let mut marked = Vec::with_capacity(list.len());
        // Marked as the list is read, so that what is in it twice is found; so no more than there are partitions.
        let mark = |&index: &usize| {
            channel.part(CALL, index)?;
            self.not_ready(CALL, index)?;
            states[index].store(READY, Ordering::Relaxed);
            marked.push(index as c_int);
            Ok(())
        };
        let marking = list.iter().try_for_each(mark);
        let told = marking.and_then(|()| {
            let Some(request) = channel.request().filter(|_| !marked.is_empty()) else { return Ok(()) };
            let n = marked.len() as c_int;
            // SAFETY: an active partitioned send, and partitions of it that MPI was not told of, each once.
            check(CALL, unsafe { MPI_Pready_list(n, marked.as_ptr(), request) })
        });
        if told.is_err() {
            marked.into_iter().for_each(|index| states[index as usize].store(EMPTY, Ordering::Relaxed));
        }
        told
    }

    fn not_ready(&self, call: Call, index: usize) -> Result<()> {
        match self.send.states[index].load(Ordering::Acquire) {
            EMPTY => Ok(()),
            _ => Err(Error::length(call, Argument::PartitionReady, index, self.send.channel.parts)),
        }
    }

    /// Makes ready what is not, then waits, without limit.
    ///
    /// `MPI_Wait` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Wait")]
    pub fn wait(self) -> Result<()> {
        ManuallyDrop::new(self).send.complete()
    }
}

impl<T> Drop for Filling<'_, '_, T> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = self.send.complete(); // what fails is tried again, and said, by the next use
        }
    }
}

impl<T> fmt::Debug for Filling<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filling").field("send", &self.send.channel).finish()
    }
}

/// Exclusive access to one partition until it is ready. Dropping it makes it ready.
pub struct Partition<'a, T> {
    elements: NonNull<[T]>,
    index: usize,
    request: Option<MPI_Request>,
    state: &'a AtomicU8,
}
// SAFETY: exclusive access to elements that may change threads; MPI is called only on threads that may (`Drop`).
unsafe impl<T: Send> Send for Partition<'_, T> {}

impl<T> Partition<'_, T> {
    /// Which partition it is.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Makes the partition ready to travel (`MPI_Pready`, MPI 4.1 §4.2.1). What fails is tried again, and said, by
    /// [`Filling::wait`].
    #[doc(alias = "MPI_Pready")]
    pub fn ready(self) {}
}

impl<T> Drop for Partition<'_, T> {
    fn drop(&mut self) {
        let told = match self.request {
            Some(request) => usable_here() && pready(self.index, request) == ffi::MPI_SUCCESS,
            None => true,
        };
        self.state.store(if told { READY } else { FILLED }, Ordering::Release);
    }
}

impl<T> Deref for Partition<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: not ready, so MPI does not use it, and nobody else holds it.
        unsafe { self.elements.as_ref() }
    }
}
impl<T> DerefMut for Partition<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: not ready, so MPI does not use it, and nobody else holds it.
        unsafe { self.elements.as_mut() }
    }
}

impl<T> fmt::Debug for Partition<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partition").field("index", &self.index).field("len", &self.elements.len()).finish()
    }
}
