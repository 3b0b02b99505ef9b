//! Nonblocking sends and receives that own their buffer (MPI 4.1 §3.7.2).
#![allow(unsafe_code)]

use super::{Destination, Source, Tag, TagPattern};
use crate::buffer::{OwnedRecv, OwnedSend, Region};
use crate::comm::Communicator;
use crate::error::{Result, Returned};
use crate::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Request};
use crate::request::{Pending, PendingRecv, PendingSend};
use crate::scope::Operation;
use std::os::raw::{c_int, c_void};

type IsendFn = unsafe extern "C" fn(
    *const c_void,
    c_int,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;

const ISEND: &Operation = &Operation { call: "MPI_Isend", receives: false };
const ISSEND: &Operation = &Operation { call: "MPI_Issend", receives: false };
const IRECV: &Operation = &Operation { call: "MPI_Irecv", receives: true };

impl Communicator {
    /// Starts to send from a buffer that the request owns. The buffer comes back from
    /// [`wait`](Pending::wait).
    ///
    /// `MPI_Isend` (MPI 4.1 §3.7.2). `buf` is a `Vec<T>`, `Box<[T]>`, `Box<T>`, `Arc<[T]>`, a `'static` slice, or
    /// another [`OwnedSend`]. To lend a buffer instead, use a [scope](Communicator::scope).
    ///
    /// # Errors
    /// The destination or the tag is out of range; or what MPI reports. The buffer comes back in the error.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let table: std::sync::Arc<[f64]> = vec![1.0; 1000].into();
    /// let sends = (1..world.size()).map(|rank| world.isend(table.clone(), rank, 0));
    /// let sends = sends.collect::<Result<Vec<_>, _>>()?;
    /// for send in sends {
    ///     send.wait()?;
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Isend")]
    #[inline(always)]
    pub fn isend<B: OwnedSend>(
        &self,
        buf: B,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PendingSend<B>, Returned<B>> {
        self.isend_by(ISEND, ffi::MPI_Isend, buf, dest.into(), tag.into())
    }

    /// As [`isend`](Communicator::isend), and complete only when the receiver has started to receive.
    ///
    /// `MPI_Issend` (MPI 4.1 §3.7.2).
    ///
    /// # Errors
    /// As [`isend`](Communicator::isend).
    #[doc(alias = "MPI_Issend")]
    #[inline(always)]
    pub fn issend<B: OwnedSend>(
        &self,
        buf: B,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<PendingSend<B>, Returned<B>> {
        self.isend_by(ISSEND, ffi::MPI_Issend, buf, dest.into(), tag.into())
    }

    #[inline(always)]
    fn isend_by<B: OwnedSend>(
        &self,
        operation: &'static Operation,
        send: IsendFn,
        buf: B,
        dest: Destination,
        tag: Tag,
    ) -> Result<PendingSend<B>, Returned<B>> {
        let call = operation.call();
        let (peer, tag) = match (dest.raw(call, self.peers()), tag.raw(call)) {
            (Ok(peer), Ok(tag)) => (peer, tag),
            (Err(error), _) | (_, Err(error)) => return Err(Returned { error: error.opaque(), data: buf }),
        };
        let comm = self.raw();
        let region = |buf: &mut B| {
            let elements = buf.elements();
            Region::contiguous(elements.as_ptr(), elements.len())
        };
        Pending::post(self.user(), operation, (peer, tag), buf, region, |region, request| {
            region.call(call, |count, datatype| {
                // SAFETY: the memory is initialized, and stays as it is until completion or for ever (`OwnedSend`,
                // `Flight`); peer and tag were checked above; the communicator is valid while its handle exists.
                unsafe { send(region.ptr, count, datatype, peer, tag, comm, request) }
            })
        })
    }

    /// Starts to receive into a buffer that the request owns. The buffer comes back from
    /// [`wait`](Pending::wait), with the status.
    ///
    /// `MPI_Irecv` (MPI 4.1 §3.7.2). `buf` is a `Vec<T>` of as many elements as the message may have, `Box<[T]>`,
    /// `Box<T>`, `&'static mut [T]`, or another [`OwnedRecv`]. To lend a buffer instead, use a
    /// [scope](Communicator::scope); for a message of unknown length use [`irecv_vec`](Communicator::irecv_vec).
    ///
    /// # Errors
    /// The source or the tag is out of range; or what MPI reports. The buffer comes back in the error.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let incoming = world.irecv(vec![0.0; 1000], mpi::Source::ANY, 0)?;
    /// // work …
    /// let message = incoming.wait()?;
    /// println!("{:?} values from {:?}", message.status.count::<f64>(), message.status.source());
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Irecv")]
    #[inline(always)]
    pub fn irecv<B: OwnedRecv>(
        &self,
        buf: B,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<PendingRecv<B>, Returned<B>> {
        let call = IRECV.call();
        let source = source.into();
        let nowhere = source.is_nowhere();
        let (peer, tag) = match (source.raw(call, self.peers()), tag.into().raw(call)) {
            (Ok(peer), Ok(tag)) => (peer, tag),
            (Err(error), _) | (_, Err(error)) => return Err(Returned { error: error.opaque(), data: buf }),
        };
        let comm = self.raw();
        let region = |buf: &mut B| {
            let elements = buf.elements_mut();
            Region::contiguous(elements.as_mut_ptr().cast_const(), elements.len())
        };
        Pending::post(self.user(), IRECV, (peer, tag), buf, region, |region, request| {
            // As in a scope: nothing comes from nowhere.
            if nowhere {
                return Ok(());
            }
            region.call(call, |count, datatype| {
                // SAFETY: nobody else uses the memory until completion, or for ever (`OwnedRecv`, `Flight`); the rest as
                // in `isend_by`.
                unsafe { ffi::MPI_Irecv(region.ptr, count, datatype, peer, tag, comm, request) }
            })
        })
    }
}
