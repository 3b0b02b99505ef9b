//! Barrier, broadcast, gather, scatter (MPI 4.1 §6.3 to §6.7).
#![allow(unsafe_code)]

use super::describe::Exchange;
use crate::buffer::zeroed::{vec_from_bits, zeroed_vec};
use crate::buffer::{RecvBuf, RecvSlice, Region, SendBuf, SendSlice};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, check};
use std::os::raw::c_int;

impl Communicator {
    /// Waits until all ranks have called it.
    ///
    /// `MPI_Barrier` (MPI 4.1 §6.3).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Barrier")]
    pub fn barrier(&self) -> Result<()> {
        let call: Call = &"MPI_Barrier";
        live(call)?;
        // SAFETY: a valid communicator, on a thread that may use it.
        check(call, unsafe { ffi::MPI_Barrier(self.raw()) })
    }

    /// Copies the root's buffer into everybody's.
    ///
    /// `MPI_Bcast` (MPI 4.1 §6.4). In place by nature. All ranks give buffers of one length.
    ///
    /// # Errors
    /// There is no rank `root`; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut parameters = [0.0; 4];
    /// if world.rank() == 0 {
    ///     parameters = [1.0, 0.5, 0.25, 0.125];
    /// }
    /// world.bcast(&mut parameters, 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Bcast")]
    #[inline]
    pub fn bcast<B>(&self, buf: &mut B, root: usize) -> Result<()>
    where
        // `SendBuf` as well: the root's memory is read, so `MaybeUninit` will not do.
        B: RecvBuf + SendBuf + ?Sized,
    {
        let call: Call = &"MPI_Bcast";
        self.is_root(call, root)?;
        live(call)?;
        let region = RecvBuf::region(buf)?;
        region.call(call, |count, datatype| {
            // SAFETY: the memory is exclusively borrowed for the call and initialized; the root is a rank.
            unsafe { ffi::MPI_Bcast(region.ptr, count, datatype, root as c_int, self.raw()) }
        })
    }

    /// Collects a buffer of equal length from every rank, in the order of ranks; every rank gets the result.
    ///
    /// `MPI_Allgather` (MPI 4.1 §6.7).
    ///
    /// # Errors
    /// What MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ranks: Vec<usize> = world.allgather(&world.rank())?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allgather")]
    pub fn allgather<S>(&self, send: &S) -> Result<Vec<S::Elem>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let call: Call = &"MPI_Allgather";
        let send = send.region()?;
        self.collected::<S::Elem>(call, send, |recv| self.allgather_regions(send, recv))
    }

    /// As [`allgather`](Communicator::allgather), into a buffer of `size()` times the length. Exactly one MPI call.
    ///
    /// # Errors
    /// The receive buffer has another length; or what MPI reports.
    #[doc(alias = "MPI_Allgather")]
    #[inline]
    pub fn allgather_into<S, R>(&self, send: &S, recv: &mut R) -> Result<()>
    where
        S: SendBuf + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
    {
        self.allgather_regions(send.region()?, recv.region()?)
    }

    #[inline]
    fn allgather_regions(&self, send: Region, recv: Region) -> Result<()> {
        let call: Call = &"MPI_Allgather";
        live(call)?;
        let x = Exchange::collect(call, send, recv, self.size())?;
        // SAFETY: both memories are borrowed for the call, and the second has room for all (`Exchange`).
        let code = unsafe {
            ffi::MPI_Allgather(
                x.send,
                x.send_block.count,
                x.send_block.datatype,
                x.recv,
                x.recv_block.count,
                x.recv_block.datatype,
                self.raw(),
            )
        };
        check(call, code)
    }

    /// Collects a buffer of equal length from every rank, in the order of ranks; the root gets `Some(result)`.
    ///
    /// `MPI_Gather` (MPI 4.1 §6.5). Every rank makes the same call.
    ///
    /// # Errors
    /// There is no rank `root`; what MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    #[doc(alias = "MPI_Gather")]
    pub fn gather<S>(&self, send: &S, root: usize) -> Result<Option<Vec<S::Elem>>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let call: Call = &"MPI_Gather";
        let send = send.region()?;
        if self.is_root(call, root)? {
            let gather =
                |recv| self.gather_described(Exchange::collect(call, send, recv, self.size())?, root);
            self.collected::<S::Elem>(call, send, gather).map(Some)
        } else {
            self.gather_described(Exchange::give(call, send)?, root).map(|()| None)
        }
    }

    /// As [`gather`](Communicator::gather), into the root's buffer of `size()` times the length, which the root alone
    /// gives. Exactly one MPI call.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the receive buffer has another
    /// length; or what MPI reports.
    #[doc(alias = "MPI_Gather")]
    #[inline]
    pub fn gather_into<S, R>(&self, send: &S, recv: Option<&mut R>, root: usize) -> Result<()>
    where
        S: SendBuf + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
    {
        let call: Call = &"MPI_Gather";
        let send = send.region()?;
        let exchange = match self.for_root(call, recv, root)? {
            Some(recv) => Exchange::collect(call, send, recv.region()?, self.size())?,
            None => Exchange::give(call, send)?,
        };
        self.gather_described(exchange, root)
    }

    #[inline]
    fn gather_described(&self, x: Exchange, root: usize) -> Result<()> {
        let call: Call = &"MPI_Gather";
        live(call)?;
        // SAFETY: as in `allgather_regions`; off the root MPI does not look at the receive arguments; the root is a
        // rank.
        let code = unsafe {
            ffi::MPI_Gather(
                x.send,
                x.send_block.count,
                x.send_block.datatype,
                x.recv,
                x.recv_block.count,
                x.recv_block.datatype,
                root as c_int,
                self.raw(),
            )
        };
        check(call, code)
    }

    /// Deals the root's buffer out in equal blocks, in the order of ranks; every rank gets its block.
    ///
    /// `MPI_Scatter` (MPI 4.1 §6.6), after an `MPI_Bcast` of the buffer's length, which only the root knows. Where the
    /// length is known, [`scatter_into`](Communicator::scatter_into) does without.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the root's buffer cannot be dealt
    /// out evenly (then every rank gets this error); what MPI reports; bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let all = (world.rank() == 0).then(|| vec![1.5; 3 * world.size()]);
    /// let mine: Vec<f64> = world.scatter(all.as_deref(), 0)?; // 3 values
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Scatter")]
    pub fn scatter<S>(&self, send: Option<&S>, root: usize) -> Result<Vec<S::Elem>>
    where
        S: SendSlice + ?Sized,
        S::Elem: FromBits,
    {
        let call: Call = &"MPI_Scatter";
        let send = self.for_root(call, send, root)?.map(SendBuf::region).transpose()?;
        let ranks = self.size();
        let mut len = send.map_or(0, |all| all.len as u64);
        self.bcast(&mut len, root)?;
        let len = len as usize;
        // Every rank finds this, not the root alone, so that nobody waits for a block.
        if !len.is_multiple_of(ranks) {
            return Err(Error::length(call, Argument::BlockLength, len, ranks));
        }
        let mut bits = zeroed_vec::<<S::Elem as FromBits>::Bits>(len / ranks);
        let recv = Region::contiguous::<S::Elem>(bits.as_mut_ptr().cast(), bits.len());
        self.scatter_regions(send, recv, root)?;
        vec_from_bits(bits).map_err(|index| Error::invalid(call, index))
    }

    /// As [`scatter`](Communicator::scatter), into a buffer of the block's length. Exactly one MPI call.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the root's buffer has not `size()`
    /// times the length of its block; or what MPI reports.
    #[doc(alias = "MPI_Scatter")]
    #[inline]
    pub fn scatter_into<S, R>(&self, send: Option<&S>, recv: &mut R, root: usize) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvBuf<Elem = S::Elem> + SendBuf + ?Sized,
    {
        let send = self.for_root(&"MPI_Scatter", send, root)?.map(SendBuf::region).transpose()?;
        self.scatter_regions(send, RecvBuf::region(recv)?, root)
    }

    #[inline]
    fn scatter_regions(&self, send: Option<Region>, recv: Region, root: usize) -> Result<()> {
        let call: Call = &"MPI_Scatter";
        live(call)?;
        let x = match send {
            Some(send) => Exchange::deal(call, send, recv, self.size())?,
            None => Exchange::get(call, recv)?,
        };
        // SAFETY: as in `allgather_regions`; off the root MPI does not look at the send arguments; the root is a rank.
        let code = unsafe {
            ffi::MPI_Scatter(
                x.send,
                x.send_block.count,
                x.send_block.datatype,
                x.recv,
                x.recv_block.count,
                x.recv_block.datatype,
                root as c_int,
                self.raw(),
            )
        };
        check(call, code)
    }

    /// Memory for a block from every rank: zeroed, filled by `fill`, checked.
    fn collected<T: FromBits>(
        &self,
        call: Call,
        block: Region,
        fill: impl FnOnce(Region) -> Result<()>,
    ) -> Result<Vec<T>> {
        let len = block.len.checked_mul(self.size());
        let len =
            len.ok_or_else(|| Error::length(call, Argument::Count, block.len, usize::MAX / self.size()))?;
        let mut bits = zeroed_vec::<T::Bits>(len);
        fill(Region::contiguous::<T>(bits.as_mut_ptr().cast(), len))?;
        vec_from_bits(bits).map_err(|index| Error::invalid(call, index))
    }
}
