//! `MPI_Allgatherv` (MPI 4.1 §6.7).
#![allow(unsafe_code)]

use super::large::{self, Share};
use super::result::{filled, refilled};
use super::table::ALLGATHERV;
use super::vector::{Allgatherv, MIXED_TYPES_HANG, Side, is_view};
use crate::buffer::{
    BlocksMut, Counted, Counts, FARTHEST, LendSend, OwnedRecv, OwnedSend, Region, SendBuf, send_region,
};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::environment::live;
use crate::error::{Result, Returned};
use crate::pack::in_one_piece;
use crate::request::{BlocksLoan, Collective, Pending, Request, SendLoan, raw_region};
use crate::scope::Scope;
use std::ptr::{self, NonNull};

/// A block of `recv` from each rank, from this one as long as `send`.
#[inline(always)]
fn described<T: Datatype>(
    send: Region,
    recv: Region,
    counts: &Counts,
    comm: &Communicator,
) -> Result<Allgatherv> {
    let recv = Side::received::<T>(ALLGATHERV.names.now(), recv, counts, comm.size())?;
    let recv = recv.at_the_front::<T>(counts);
    Allgatherv::new::<T>(ALLGATHERV, send, recv, Some(counts.get(comm.rank())))
}

/// What is sent is in its place in `both`.
#[inline(always)]
fn in_place<T: Datatype>(both: Region, counts: &Counts, comm: &Communicator) -> Result<Allgatherv> {
    let both = Side::received::<T>(ALLGATHERV.names.now(), both, counts, comm.size())?;
    Ok(Allgatherv::in_place(ALLGATHERV, both.at_the_front::<T>(counts)))
}

/// Whether what is sent can be copied as bytes, without MPI.
fn is_plain<S: SendBuf + ?Sized>(send: Region) -> bool {
    S::IS_ON_HOST && S::Elem::PARTS.is_row() && !is_view::<S::Elem>(send)
}

impl Communicator {
    /// The blocking call, with whatever it was given.
    ///
    /// # Safety
    /// Both memories are borrowed for the call, the second exclusively.
    unsafe fn allgatherv_regions<T: Datatype>(
        &self,
        send: Region,
        recv: Region,
        counts: &Counts,
    ) -> Result<()> {
        let plain = described::<T>(send, recv, counts, self)?;
        if large::is_due::<T, _>(ALLGATHERV.wide, counts.total()) {
            let (each, blocks) = (Share::Each(send), Share::Blocks(recv, counts));
            // SAFETY: this function's contract; checked by the description.
            return unsafe { large::exchange::<T>(self, each, blocks, None, FARTHEST) };
        }
        if MIXED_TYPES_HANG && self.size() > 2 && is_view::<T>(send) {
            // SAFETY: what is sent may be read.
            let copy = unsafe { in_one_piece::<T>(send, self) }?;
            let copied = Region::contiguous(copy.as_ptr().cast::<T>(), copy.len());
            let alike = described::<T>(copied, recv, counts, self)?;
            // SAFETY: this function's contract; the copy is our own.
            return unsafe { self.collective(alike) };
        }
        // SAFETY: this function's contract.
        unsafe { self.collective(plain) }
    }

    /// Collects a buffer of any length from every rank, one rank's after the other's; every rank gets the result.
    ///
    /// `MPI_Allgatherv` (MPI 4.1 §6.7), after an `MPI_Allgather` of the lengths if there are several ranks. Where they are known,
    /// [`allgatherv_into`](Communicator::allgatherv_into) does without. A rank that is alone copies what has neither gaps nor
    /// padding without a call.
    ///
    /// # Errors
    /// What MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mine = vec![world.rank(); world.rank()];
    /// let all = world.allgatherv(&mine)?; // 1, 2, 2, 3, 3, 3, …
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allgatherv")]
    pub fn allgatherv<S>(&self, send: &S) -> Result<Vec<S::Elem>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        self.allgatherv_with_counts(send).map(|(all, _)| all)
    }

    /// As [`allgatherv`](Communicator::allgatherv), with how many elements came from each rank.
    ///
    /// # Errors
    /// As [`allgatherv`](Communicator::allgatherv).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (all, counts) = world.allgatherv_with_counts(&vec![0.5; world.rank()])?;
    /// for (rank, block) in counts.split(&all).enumerate() {
    ///     println!("{rank} sent {block:?}");
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allgatherv")]
    pub fn allgatherv_with_counts<S>(&self, send: &S) -> Result<(Vec<S::Elem>, Counts)>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let send = send.region()?;
        let counts = self.lengths(send.len)?;
        let all = filled::<S::Elem>(ALLGATHERV.names.now(), counts.total(), |recv| {
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.allgatherv_told::<S>(send, recv, &counts) }
        })?;
        Ok((all, counts))
    }

    /// As [`allgatherv_with_counts`](Communicator::allgatherv_with_counts), into a vector that is kept from call to call: it
    /// gets as many elements as came. What it held is not cleared first, and its memory serves again if it suffices.
    ///
    /// # Errors
    /// As [`allgatherv`](Communicator::allgatherv). The vector may then be empty, or have its new length, with elements it
    /// held before, zeros or some that came.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut all = Vec::new();
    /// for step in 0..100 {
    ///     let mine = vec![step; world.rank() + step];
    ///     let counts = world.allgatherv_resizing(&mine, &mut all)?;
    ///     assert_eq!(counts.get(world.rank()), mine.len());
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allgatherv")]
    pub fn allgatherv_resizing<S>(&self, send: &S, all: &mut Vec<S::Elem>) -> Result<Counts>
    where
        S: SendBuf + ?Sized,
        S::Elem: AnyBits,
    {
        let send = send.region()?;
        let counts = self.lengths(send.len)?;
        refilled(ALLGATHERV.names.now(), all, counts.total(), |recv| {
            // SAFETY: both memories are borrowed for the call, the second exclusively.
            unsafe { self.allgatherv_told::<S>(send, recv, &counts) }
        })?;
        Ok(counts)
    }

    /// The call, when everybody knows how much comes. A rank that is alone has it.
    ///
    /// # Safety
    /// As [`allgatherv_regions`](Communicator::allgatherv_regions); `send` is the region of an `S`, and `recv` has room for
    /// exactly what comes.
    unsafe fn allgatherv_told<S: SendBuf + ?Sized>(
        &self,
        send: Region,
        recv: Region,
        counts: &Counts,
    ) -> Result<()> {
        if self.size() > 1 || !is_plain::<S>(send) {
            // SAFETY: this function's contract.
            return unsafe { self.allgatherv_regions::<S::Elem>(send, recv, counts) };
        }
        live(ALLGATHERV.names.now())?;
        let bytes = send.len * size_of::<S::Elem>();
        // SAFETY: both are `send.len` elements of which every byte is of a primitive, in memory of the host; one is exclusively
        // borrowed.
        unsafe { ptr::copy_nonoverlapping(send.ptr.cast::<u8>(), recv.ptr.cast(), bytes) };
        Ok(())
    }

    /// As [`allgatherv`](Communicator::allgatherv), into the blocks of a buffer. Exactly one MPI call.
    ///
    /// All ranks give the same counts; where the blocks lie may differ.
    ///
    /// # Errors
    /// There is not one count for each rank; this rank's is not the length of `send`; a block reaches past the buffer,
    /// or two share elements; more than `i32::MAX` elements apart in a buffer of fewer, where the library has no
    /// large-count functions; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::buffer::{Counts, WithCounts};
    /// # let world = mpi::init()?;
    /// let counts = Counts::even(1000, world.size())?;
    /// let mine = vec![0.5; counts.get(world.rank())];
    /// let mut all = vec![0.0; counts.span()];
    /// world.allgatherv_into(&mine, all.with_counts_mut(&counts))?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allgatherv")]
    #[inline(always)]
    pub fn allgatherv_into<S>(&self, send: &S, recv: BlocksMut<'_, S::Elem>) -> Result<()>
    where
        S: SendBuf + ?Sized,
        S::Elem: AnyBits,
    {
        let (recv, counts) = BlocksLoan::new(recv).into_parts();
        let regions = (send.region()?, raw_region(recv));
        match Allgatherv::plain::<S::Elem>(ALLGATHERV, regions, counts, self) {
            // SAFETY: both memories are borrowed for the call, the second exclusively.
            Some(plain) => unsafe { self.collective(plain) },
            // SAFETY: as above.
            None => unsafe { self.allgatherv_any(send, recv, counts) },
        }
    }

    /// The same with whatever it is given; apart, and by words, so that the hot path keeps everything in registers.
    ///
    /// # Safety
    /// As [`allgatherv_regions`](Communicator::allgatherv_regions).
    #[cold]
    unsafe fn allgatherv_any<S: SendBuf + ?Sized>(
        &self,
        send: &S,
        recv: NonNull<[S::Elem]>,
        counts: &Counts,
    ) -> Result<()> {
        let send = send.region()?;
        // SAFETY: this function's contract.
        unsafe { self.allgatherv_regions::<S::Elem>(send, raw_region(recv), counts) }
    }

    /// As [`allgatherv_into`](Communicator::allgatherv_into), where each rank's own block is in its place already.
    ///
    /// `MPI_Allgatherv` with `MPI_IN_PLACE` (MPI 4.1 §6.7).
    ///
    /// # Errors
    /// As [`allgatherv_into`](Communicator::allgatherv_into).
    #[doc(alias("MPI_Allgatherv", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn allgatherv_in_place<T: AnyBits>(&self, both: BlocksMut<'_, T>) -> Result<()> {
        let (both, counts) = BlocksLoan::new(both).region();
        let described = in_place::<T>(both, counts, self)?;
        if large::is_due::<T, _>(ALLGATHERV.wide, counts.total()) {
            let (me, blocks) = (self.rank(), Share::Blocks(both, counts));
            let each = Share::Each(blocks.of::<T>(me));
            // SAFETY: the memory is exclusively borrowed for the call and initialized; checked by the description.
            return unsafe { large::exchange::<T>(self, each, blocks, Some(me), FARTHEST) };
        }
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to collect a buffer of any length from every rank; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Iallgatherv` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`allgatherv_into`](Communicator::allgatherv_into); more than `i32::MAX` elements where the library has no
    /// large-count functions. The buffers come back in the error.
    ///
    /// ```no_run
    /// use mpi::buffer::{Counted, Counts};
    /// # let world = mpi::init()?;
    /// let counts = Counts::even(1000, world.size())?;
    /// let mine = vec![0.5; counts.get(world.rank())];
    /// let pending = world.iallgatherv(mine, Counted::new(vec![0.0; 1000], counts))?;
    /// // work …
    /// let (mine, all) = pending.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iallgatherv")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn iallgatherv<S, R>(
        &self,
        send: S,
        recv: Counted<R>,
    ) -> Result<Pending<(S, Counted<R>), Collective>, Returned<(S, Counted<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, Counted<R>)| {
            let (recv, counts) = BlocksLoan::new(recv.blocks_mut()).region();
            described::<S::Elem>(send_region(send), recv, counts, self)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the counts stay in place with them (`Counted`).
        unsafe { self.start_owned(ALLGATHERV, (send, recv), None, describe) }
    }

    /// Starts the same where each rank's own block is in its place already; the request owns the buffer, and gives it
    /// back.
    ///
    /// `MPI_Iallgatherv` with `MPI_IN_PLACE` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`iallgatherv`](Communicator::iallgatherv). The buffer comes back in the error.
    #[doc(alias("MPI_Iallgatherv", "MPI_IN_PLACE"))]
    pub fn iallgatherv_in_place<B: OwnedRecv>(
        &self,
        both: Counted<B>,
    ) -> Result<Pending<Counted<B>, Collective>, Returned<Counted<B>>> {
        let describe = |both: &mut Counted<B>| {
            let (both, counts) = BlocksLoan::new(both.blocks_mut()).region();
            in_place::<B::Elem>(both, counts, self)
        };
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`); the counts stay in place with it (`Counted`).
        unsafe { self.start_owned(ALLGATHERV, both, None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to collect a buffer of any length from every rank; both borrows come back from `wait`.
    ///
    /// `MPI_Iallgatherv` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`allgatherv_into`](Communicator::allgatherv_into); more than `i32::MAX` elements where the library has no
    /// large-count functions.
    #[doc(alias = "MPI_Iallgatherv")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "two borrows that come back")]
    pub fn iallgatherv<S>(
        self,
        send: S,
        recv: BlocksMut<'s, S::Elem>,
    ) -> Result<Request<'s, (SendLoan<'s, S>, BlocksLoan<'s, S::Elem>)>>
    where
        S: LendSend<'s>,
        S::Elem: AnyBits,
    {
        let ((send, send_raw), blocks) = (send.lend()?, BlocksLoan::new(recv));
        let (recv, counts) = blocks.region();
        let described = described::<S::Elem>(send, recv, counts, self.comm);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively, and so are the counts.
        unsafe { self.collective(ALLGATHERV, described, (SendLoan::new(send_raw), blocks)) }
    }

    /// Starts the same where each rank's own block is in its place already; the borrow comes back from `wait`.
    ///
    /// `MPI_Iallgatherv` with `MPI_IN_PLACE` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`iallgatherv`](Scope::iallgatherv).
    #[doc(alias("MPI_Iallgatherv", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn iallgatherv_in_place<T: AnyBits>(
        self,
        both: BlocksMut<'s, T>,
    ) -> Result<Request<'s, BlocksLoan<'s, T>>> {
        let blocks = BlocksLoan::new(both);
        let (both, counts) = blocks.region();
        let described = in_place::<T>(both, counts, self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized, and so are the counts.
        unsafe { self.collective(ALLGATHERV, described, blocks) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::Device;
    use crate::datatype::RawDatatype;
    use crate::ffi;

    #[test]
    fn memory_of_a_device_is_left_to_mpi() {
        let numbers = Region::contiguous([1.0f32, 2.0].as_ptr(), 2);
        assert!(is_plain::<[f32]>(numbers) && is_plain::<Vec<f32>>(numbers));
        assert!(!is_plain::<Device<f32>>(numbers));
        assert!(!is_plain::<[f32]>(Region { datatype: RawDatatype(ffi::MPI_PACKED), ..numbers }));
    }
}
