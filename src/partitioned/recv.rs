//! The receiving end: partitions that are read as they arrive.
#![allow(unsafe_code)]

use super::calls::{self, MPI_Parrived, MPI_Precv_init};
use super::channel::{Channel, Cut, Home, Init};
use super::message::{Partitioned, Started};
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::environment::live;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use crate::p2p::{Destination, Source, Tag};
use crate::persistent::{Array, Exclusive, LendArray, Lent, Owned};
use crate::request::Incoming;
use crate::scope::{Note, Operation, Scope};
use std::os::raw::c_int;

const PRECV: &Operation = &Operation { call: "MPI_Precv_init", receives: false };

/// A partitioned receive. See [`Communicator::precv_init`] and [`Scope::precv_init`].
pub type PartitionedRecv<'c, T, H = Owned> = Partitioned<'c, T, Incoming, H>;
/// A started [`PartitionedRecv`].
pub type Arriving<'p, 'c, T, H = Owned> = Started<'p, 'c, T, Incoming, H>;

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
        let (note, buffer) = (addressed(self, source.into(), tag.into())?, buffer.into());
        let cut = Cut::new(PRECV.call(), buffer.len(), partitions)?;
        // SAFETY: an array of its own.
        let channel = unsafe { Channel::new(self, note, Array::row(buffer), cut, Home::own(0), make) };
        channel.map(Partitioned::new)
    }
}

impl<'s> Scope<'s, '_> {
    /// Makes a receive into a borrowed buffer in equal partitions, which can be started again and again.
    ///
    /// `MPI_Precv_init` (MPI 4.1 §4.2.1). As [`Communicator::precv_init`]; what is forgotten in flight, the scope waits for.
    ///
    /// # Errors
    /// As [`Communicator::precv_init`].
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut buffer = vec![0.0f64; 8000];
    /// world.scope(|s| {
    ///     let mut receive = s.precv_init(&mut buffer, 8, 0, 0)?;
    ///     receive.start()?.wait()
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Precv_init")]
    pub fn precv_init<B>(
        self,
        buffer: B,
        partitions: usize,
        source: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PartitionedRecv<'s, B::Elem, Lent<'s>>>
    where
        B: LendArray<'s, Access = Exclusive, Elem: AnyBits>,
    {
        let (note, elements) = (addressed(self.comm, source.into(), tag.into())?, buffer.lend());
        let cut = Cut::new(PRECV.call(), elements.len(), partitions)?;
        let (array, home) = (Array::lent_row(elements), Home::lodged(self.arena, 0));
        // SAFETY: elements that are exclusively borrowed for the life of the arena.
        let channel = unsafe { Channel::new(self.comm, note, array, cut, home, make) };
        channel.map(Partitioned::new)
    }
}

fn addressed(comm: &Communicator, source: Destination, tag: Tag) -> Result<Note> {
    calls::available(PRECV.call())?;
    let (source, call) = (Source::from(source.rank()), PRECV.call());
    Ok(Note { operation: PRECV, peer: source.raw(call, comm.peers())?, tag: tag.raw(call)? })
}

/// # Safety
/// As of `MPI_Precv_init`.
unsafe fn make(i: Init) -> c_int {
    // SAFETY: this function's contract.
    unsafe {
        MPI_Precv_init(
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

impl<T, H> Started<'_, '_, T, Incoming, H> {
    /// One partition, if it has arrived.
    ///
    /// `MPI_Parrived` (MPI 4.1 §4.2.2). Also drives progress.
    ///
    /// # Errors
    /// There is no such partition; or what MPI reports.
    #[doc(alias = "MPI_Parrived")]
    pub fn arrived(&self, index: usize) -> Result<Option<&[T]>> {
        const CALL: Call = &"MPI_Parrived";
        let channel = &self.message.channel;
        let elements = channel.part(CALL, index)?;
        live(CALL)?;
        let mut arrived = 1;
        if let Some(request) = channel.request() {
            // SAFETY: an active partitioned receive and one of its partitions; the out-argument is ours.
            check(CALL, unsafe { MPI_Parrived(request, index as c_int, &raw mut arrived) })?;
        }
        if arrived == 0 {
            return Ok(None);
        }
        // SAFETY: it has arrived, so MPI does not write to it before the next start, which needs `&mut`.
        Ok(Some(unsafe { elements.as_ref() }))
    }
}
