//! Posting point-to-point operations in a scope (MPI 4.1 §3.7.2).

use super::{Operation, Scope};
use crate::buffer::{LendRecv, LendSend};
use crate::error::Result;
use crate::ffi::{self, MPI_Comm, MPI_Datatype, MPI_Request};
use crate::p2p::{Destination, Source, Tag, TagPattern};
use crate::request::{RecvLoan, RecvRequest, Request, SendLoan, SendRequest};
use std::os::raw::{c_int, c_void};

/// `MPI_Isend` and its relatives of other modes.
pub(super) type IsendFn = unsafe extern "C" fn(
    *const c_void,
    c_int,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;

impl<'s> Scope<'s, '_> {
    /// Posts an operation to or from a peer, with a tag, and hands its handle to the arena, which completes it before `'s` ends.
    #[inline(always)]
    pub(crate) fn post<L>(
        self,
        operation: &'static Operation,
        to: (c_int, c_int),
        loan: L,
        // Give a `move` closure where the call is hot: what it captured by reference would have to be in memory.
        post: impl FnOnce(*mut MPI_Request) -> Result<()>,
    ) -> Result<Request<'s, L>> {
        Ok(Request::new(self.arena.post(operation, to, post)?, loan))
    }

    /// Starts to send. The borrow comes back from `wait`.
    ///
    /// `MPI_Isend` (MPI 4.1 §3.7.2). `buf` is a borrow: `&[T]`, `&[T; N]`, `&Vec<T>`, `&T`, or a
    /// [`Strided`](crate::buffer::Strided) view. What it borrows may be read meanwhile.
    ///
    /// # Errors
    /// The destination or the tag is out of range; or what MPI reports.
    #[doc(alias = "MPI_Isend")]
    #[inline(always)]
    pub fn isend<B: LendSend<'s>>(
        self,
        buf: B,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<SendRequest<'s, B>> {
        const ISEND: &Operation = &Operation { call: "MPI_Isend", receives: false };
        // SAFETY: a standard send asks for nothing beyond what `post_send` checks.
        unsafe { self.post_send(ISEND, ffi::MPI_Isend, buf, dest.into(), tag.into()) }
    }

    /// Posts a send in one of the four modes.
    ///
    /// # Safety
    /// What the mode asks for: of `MPI_Irsend`, that a matching receive is posted; of the others, nothing.
    #[inline(always)]
    pub(super) unsafe fn post_send<B: LendSend<'s>>(
        self,
        mode: &'static Operation,
        send: IsendFn,
        buf: B,
        dest: Destination,
        tag: Tag,
    ) -> Result<SendRequest<'s, B>> {
        let (dest, tag) = (dest.raw(mode.call(), self.comm.peers())?, tag.raw(mode.call())?);
        let (region, raw) = buf.lend()?;
        let comm = self.comm.raw();
        self.post(mode, (dest, tag), SendLoan::new(raw), move |request| {
            region.call(mode.call(), |count, datatype| {
                // SAFETY: the memory is initialized and borrowed for `'s` (`LendSend`), and the arena completes the
                // request before `'s` ends; peer and tag were checked above; the communicator is borrowed for `'s`.
                unsafe { send(region.ptr, count, datatype, dest, tag, comm, request) }
            })
        })
    }

    /// Starts to receive. The exclusive borrow comes back from `wait`, with the status.
    ///
    /// `MPI_Irecv` (MPI 4.1 §3.7.2). `buf` is an exclusive borrow: `&mut [T]`, `&mut [T; N]`, `&mut Vec<T>`,
    /// `&mut T`, `&mut [MaybeUninit<T>]`, or a [`StridedMut`](crate::buffer::StridedMut) view.
    ///
    /// # Errors
    /// The source or the tag is out of range; or what MPI reports.
    #[doc(alias = "MPI_Irecv")]
    #[inline(always)]
    pub fn irecv<B: LendRecv<'s>>(
        self,
        buf: B,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<RecvRequest<'s, B>> {
        const IRECV: &Operation = &Operation { call: "MPI_Irecv", receives: true };
        let source = source.into();
        let nowhere = source.is_nowhere();
        let (source, tag) = (source.raw(IRECV.call(), self.comm.peers())?, tag.into().raw(IRECV.call())?);
        let (region, raw) = buf.lend()?;
        let comm = self.comm.raw();
        self.post(IRECV, (source, tag), RecvLoan::new(raw), move |request| {
            // Nothing comes from nowhere, and a null request says so with every library; MPICH 4.0 would report a message
            // from rank 0.
            if nowhere {
                return Ok(());
            }
            region.call(IRECV.call(), |count, datatype| {
                // SAFETY: the memory is exclusively borrowed for `'s` (`LendRecv`); the rest as in `isend`.
                unsafe { ffi::MPI_Irecv(region.ptr, count, datatype, source, tag, comm, request) }
            })
        })
    }
}
