//! Blocking sends and receives (MPI 4.1 §3.2, §3.4, §3.10).
#![allow(unsafe_code)]

use super::{Destination, Source, Tag, TagPattern};
use crate::buffer::zeroed::{from_bits, zeroed};
use crate::buffer::{RecvBuf, SendBuf};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Comm, MPI_Datatype, check};
use crate::status::Status;
use std::os::raw::{c_int, c_void};
use std::ptr::NonNull;

/// What a receive brought: the value or the buffer, and the message's status.
#[derive(Clone, Copy, Debug)]
pub struct Received<B> {
    /// The value that was received, or the buffer that was lent.
    pub data: B,
    /// Where the message came from, its tag and length.
    pub status: Status,
}

pub(super) type SendFn =
    unsafe extern "C" fn(*const c_void, c_int, MPI_Datatype, c_int, c_int, MPI_Comm) -> c_int;

impl Communicator {
    /// Sends a message and returns when the buffer may be reused.
    ///
    /// `MPI_Send` (MPI 4.1 §3.2.1). `buf` is a value, slice, array, vector or strided view; `dest` a rank, or
    /// `None` to send nowhere.
    ///
    /// # Errors
    /// The destination or the tag is out of range; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// if world.rank() == 0 {
    ///     world.send(&[1.0, 2.0, 3.0], 1, 7)?;
    /// } else {
    ///     let numbers = world.recv_vec::<f64>(0, 7)?.data;
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Send")]
    #[inline(always)]
    pub fn send<B>(&self, buf: &B, dest: impl Into<Destination>, tag: impl Into<Tag>) -> Result<()>
    where
        B: SendBuf + ?Sized,
    {
        // SAFETY: this mode asks for nothing of its caller.
        unsafe { self.send_by(&"MPI_Send", ffi::MPI_Send, buf, dest.into(), tag.into()) }
    }

    /// Sends a message and returns when the receiver has started to receive it.
    ///
    /// `MPI_Ssend` (MPI 4.1 §3.4).
    ///
    /// # Errors
    /// As [`send`](Communicator::send).
    #[doc(alias = "MPI_Ssend")]
    #[inline(always)]
    pub fn ssend<B>(&self, buf: &B, dest: impl Into<Destination>, tag: impl Into<Tag>) -> Result<()>
    where
        B: SendBuf + ?Sized,
    {
        // SAFETY: this mode asks for nothing of its caller.
        unsafe { self.send_by(&"MPI_Ssend", ffi::MPI_Ssend, buf, dest.into(), tag.into()) }
    }

    /// Sends in one of the four modes.
    ///
    /// # Safety
    /// What the mode asks for: of `MPI_Rsend`, that a matching receive is posted; of the others, nothing.
    #[inline(always)]
    pub(super) unsafe fn send_by<B>(
        &self,
        call: Call,
        send: SendFn,
        buf: &B,
        dest: Destination,
        tag: Tag,
    ) -> Result<()>
    where
        B: SendBuf + ?Sized,
    {
        let (dest, tag) = (dest.raw(call, self.peers())?, tag.raw(call)?);
        let region = buf.region()?;
        region.call(call, |count, datatype| {
            // SAFETY: the memory is initialized and borrowed for the call (`SendBuf`); peer and tag were checked above;
            // the communicator is valid while its handle exists.
            unsafe { send(region.ptr, count, datatype, dest, tag, self.raw()) }
        })
    }

    /// Receives into a buffer and returns it with the status.
    ///
    /// `MPI_Recv` (MPI 4.1 §3.2.4). A message shorter than the buffer leaves the rest as it was; into
    /// `MaybeUninit` memory, what arrived comes back as an initialized prefix.
    ///
    /// # Errors
    /// The source or the tag is out of range; the message is longer than the buffer (class `TRUNCATE`; the buffer
    /// stays usable); or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut halo = vec![0.0; 100];
    /// let got = world.recv_into(&mut halo, mpi::Source::ANY, mpi::Tag::ANY)?;
    /// println!("{:?} values from {:?}", got.status.count::<f64>(), got.status.source());
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Recv")]
    #[inline(always)]
    pub fn recv_into<'b, B>(
        &self,
        buf: &'b mut B,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<Received<B::Filled<'b>>>
    where
        B: RecvBuf + ?Sized,
    {
        let call: Call = &"MPI_Recv";
        let (source, tag) = (source.into().raw(call, self.peers())?, tag.into().raw(call)?);
        let mut buf = NonNull::from(buf);
        // SAFETY: `buf` was `&'b mut B` a line above.
        let region = unsafe { buf.as_mut() }.region()?;
        let mut status = Status::empty();
        region.call(call, |count, datatype| {
            // SAFETY: the memory is exclusively borrowed for the call (`RecvBuf`); the rest as in `send_by`.
            unsafe { ffi::MPI_Recv(region.ptr, count, datatype, source, tag, self.raw(), &raw mut status) }
        })?;
        let status = Status::from_raw(status);
        let received = if B::COUNTS { status.whole::<B::Elem>() } else { 0 };
        // SAFETY: `buf` was `&'b mut B`, the call is over, and MPI wrote what its status counts.
        Ok(Received { data: unsafe { B::filled(buf, received) }, status })
    }

    /// Receives one value.
    ///
    /// `MPI_Recv` (MPI 4.1 §3.2.4), then a check that the message brought a whole value: also of `bool`, `char`
    /// and `NonZero*`, whose bytes are checked.
    ///
    /// # Errors
    /// The source or the tag is out of range; the message is longer or shorter than one value (it is consumed); its
    /// bytes are not a value of `T`; or what MPI reports. A receive from nowhere (`None`) brings no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ready: bool = world.recv(0, 3)?.data;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Recv")]
    #[inline(always)]
    pub fn recv<T: FromBits>(
        &self,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<Received<T>> {
        let call: Call = &"MPI_Recv";
        let (source, tag) = (source.into().raw(call, self.peers())?, tag.into().raw(call)?);
        let mut bits = zeroed::<T::Bits>();
        let count = c_int::try_from(T::UNITS)
            .map_err(|_| Error::length(call, crate::error::Argument::Count, T::UNITS, c_int::MAX as usize))?;
        let mut status = Status::empty();
        // SAFETY: `bits` has room for one value of `T`; the rest as in `send_by`.
        let code = unsafe {
            ffi::MPI_Recv(
                (&raw mut bits).cast(),
                count,
                T::unit().0,
                source,
                tag,
                self.raw(),
                &raw mut status,
            )
        };
        check(call, code)?;
        one_value(call, bits, Status::from_raw(status))
    }

    /// Receives a message of any length into a new vector.
    ///
    /// `MPI_Mprobe`, `MPI_Mrecv` (MPI 4.1 §3.8.2): the message that was measured is the one that is received, so
    /// this is right with wildcards and threads. `bool`, `char` and `NonZero*` are checked value by value.
    ///
    /// # Errors
    /// The source or the tag is out of range; the message does not bring whole values, or values that are none of
    /// `T` (it is consumed); or what MPI reports.
    #[doc(alias("MPI_Mprobe", "MPI_Mrecv"))]
    pub fn recv_vec<T: FromBits>(
        &self,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<Received<Vec<T>>> {
        self.mprobe(source, tag)?.recv_vec()
    }

    /// Sends one message and receives another, without the deadlock of two blocking calls.
    ///
    /// `MPI_Sendrecv` (MPI 4.1 §3.10).
    ///
    /// # Errors
    /// As [`send`](Communicator::send) and [`recv_into`](Communicator::recv_into).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (next, previous) = ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    /// let mut theirs = 0;
    /// world.sendrecv(&world.rank(), next, 0, &mut theirs, previous, 0)?;
    /// assert_eq!(theirs, previous);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Sendrecv")]
    #[inline(always)]
    pub fn sendrecv<'b, S, R>(
        &self,
        send: &S,
        dest: impl Into<Destination>,
        send_tag: impl Into<Tag>,
        recv: &'b mut R,
        source: impl Into<Source>,
        recv_tag: impl Into<TagPattern>,
    ) -> Result<Received<R::Filled<'b>>>
    where
        S: SendBuf + ?Sized,
        R: RecvBuf + ?Sized,
    {
        let call: Call = &"MPI_Sendrecv";
        let (dest, send_tag) = (dest.into().raw(call, self.peers())?, send_tag.into().raw(call)?);
        let (source, recv_tag) = (source.into().raw(call, self.peers())?, recv_tag.into().raw(call)?);
        let out = send.region()?;
        let mut recv = NonNull::from(recv);
        // SAFETY: `recv` was `&'b mut R` a line above.
        let into = unsafe { recv.as_mut() }.region()?;
        let comm = self.raw();
        let mut status = Status::empty();
        let status_out = &raw mut status;
        out.call_with(into, call, move |(out_count, out_type), (into_count, into_type)| {
            // SAFETY: both memories are borrowed for the call, the second exclusively, so they are disjoint; peers and
            // tags were checked above; the communicator is valid while its handle exists.
            unsafe {
                ffi::MPI_Sendrecv(
                    out.ptr, out_count, out_type, dest, send_tag, into.ptr, into_count, into_type, source,
                    recv_tag, comm, status_out,
                )
            }
        })?;
        let status = Status::from_raw(status);
        let received = if R::COUNTS { status.whole::<R::Elem>() } else { 0 };
        // SAFETY: `recv` was `&'b mut R`, the call is over, and MPI wrote what its status counts.
        Ok(Received { data: unsafe { R::filled(recv, received) }, status })
    }
}

/// The value that a message brought, if it brought a whole one.
#[inline(always)]
pub(super) fn one_value<T: FromBits>(call: Call, bits: T::Bits, status: Status) -> Result<Received<T>> {
    let received = status.whole::<T>();
    if received < 1 && T::UNITS > 0 {
        return Err(Error::too_short(call, received, 1));
    }
    let data = from_bits::<T>(bits).ok_or_else(|| Error::invalid(call, 0))?;
    Ok(Received { data, status })
}
