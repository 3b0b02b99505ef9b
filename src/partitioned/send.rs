//! The sending end: partitions that are filled by whoever holds their token.
#![allow(unsafe_code)]

use super::calls::{self, MPI_Pready_list, MPI_Pready_range, MPI_Psend_init};
use super::channel::{Channel, Cut, Home, Init};
use super::message::{Partitioned, Started};
use super::ready::{EMPTY, FILLED, PREADY, READY, pready};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::environment::usable_here;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Request, check};
use crate::p2p::{Destination, Tag};
use crate::persistent::{Array, Exclusive, LendArray, Lent, Owned};
use crate::request::Outgoing;
use crate::scope::{Note, Operation, Scope};
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::os::raw::c_int;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

const PSEND: &Operation = &Operation { call: "MPI_Psend_init", receives: false };

/// A partitioned send. See [`Communicator::psend_init`] and [`Scope::psend_init`].
pub type PartitionedSend<'c, T, H = Owned> = Partitioned<'c, T, Outgoing, H>;
/// A started [`PartitionedSend`], whose partitions are to be filled.
pub type Filling<'p, 'c, T, H = Owned> = Started<'p, 'c, T, Outgoing, H>;

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
        let (note, buffer) = (addressed(self, dest.into(), tag.into())?, buffer.into());
        let cut = Cut::new(PSEND.call(), buffer.len(), partitions)?;
        // SAFETY: an array of its own.
        let channel =
            unsafe { Channel::new(self, note, Array::row(buffer), cut, Home::own(partitions), make) };
        channel.map(Partitioned::new)
    }
}

impl<'s> Scope<'s, '_> {
    /// Makes a send of a borrowed buffer in equal partitions, which can be started again and again.
    ///
    /// `MPI_Psend_init` (MPI 4.1 §4.2.1). As [`Communicator::psend_init`]; what is forgotten in flight, the scope makes
    /// ready and waits for.
    ///
    /// # Errors
    /// As [`Communicator::psend_init`].
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut buffer = vec![0.0f64; 8000];
    /// world.scope(|s| {
    ///     let mut send = s.psend_init(&mut buffer, 8, 1, 0)?;
    ///     let mut filling = send.start()?;
    ///     std::thread::scope(|threads| {
    ///         for mut partition in filling.partitions() {
    ///             threads.spawn(move || partition.fill(1.5));
    ///         }
    ///     });
    ///     filling.wait()
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Psend_init")]
    pub fn psend_init<B>(
        self,
        buffer: B,
        partitions: usize,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PartitionedSend<'s, B::Elem, Lent<'s>>>
    where
        B: LendArray<'s, Access = Exclusive>,
    {
        let (note, elements) = (addressed(self.comm, dest.into(), tag.into())?, buffer.lend());
        let cut = Cut::new(PSEND.call(), elements.len(), partitions)?;
        let (array, home) = (Array::lent_row(elements), Home::lodged(self.arena, partitions));
        // SAFETY: elements that are exclusively borrowed for the life of the arena.
        let channel = unsafe { Channel::new(self.comm, note, array, cut, home, make) };
        channel.map(Partitioned::new)
    }
}

fn addressed(comm: &Communicator, dest: Destination, tag: Tag) -> Result<Note> {
    let call = PSEND.call();
    calls::available(call)?;
    Ok(Note { operation: PSEND, peer: dest.raw(call, comm.peers())?, tag: tag.raw(call)? })
}

/// # Safety
/// As of `MPI_Psend_init`.
unsafe fn make(i: Init) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        MPI_Psend_init(
            i.buf,
            i.parts,
            i.count,
            i.datatype,
            i.peer,
            i.tag,
            i.comm,
            ffi::MPI_INFO_NULL,
            i.request,
        )
    }
}

impl<T, H> Started<'_, '_, T, Outgoing, H> {
    /// The partitions that are not ready, each to be filled by whoever holds it, on any thread.
    pub fn partitions(&mut self) -> impl Iterator<Item = Partition<'_, T>> {
        let channel = &self.message.channel;
        let empty = |(_, state): &(usize, &AtomicU8)| state.load(Ordering::Acquire) == EMPTY;
        channel.states().iter().enumerate().filter(empty).filter_map(|(index, state)| {
            let elements = channel.part(PREADY, index).ok()?;
            Some(Partition { elements, index, request: channel.request(), state })
        })
    }

    /// The elements of one partition that is not ready.
    ///
    /// # Errors
    /// There is no such partition, or it is ready.
    pub fn partition(&mut self, index: usize) -> Result<&mut [T]> {
        let mut elements = self.message.channel.part(PREADY, index)?;
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
        self.message.channel.check(CALL, &range)?;
        range.clone().try_for_each(|index| self.not_ready(CALL, index))?;
        if let (Some(request), false) = (self.message.channel.request(), range.is_empty()) {
            // SAFETY: an active partitioned send, and partitions of it that MPI was not told of.
            let code = unsafe { MPI_Pready_range(range.start as c_int, range.end as c_int - 1, request) };
            check(CALL, code)?;
        }
        range.for_each(|index| self.message.channel.states()[index].store(READY, Ordering::Relaxed));
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
        let (channel, states) = (&self.message.channel, self.message.channel.states());
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
            // MPI only reads the list; MPICH 4.0's header does not say so.
            check(CALL, unsafe { MPI_Pready_list(n, marked.as_mut_ptr(), request) })
        });
        if told.is_err() {
            marked.into_iter().for_each(|index| states[index as usize].store(EMPTY, Ordering::Relaxed));
        }
        told
    }

    fn not_ready(&self, call: Call, index: usize) -> Result<()> {
        match self.message.channel.states()[index].load(Ordering::Acquire) {
            EMPTY => Ok(()),
            _ => Err(Error::length(call, Argument::PartitionReady, index, self.message.channel.parts())),
        }
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
