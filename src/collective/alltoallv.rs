//! `MPI_Alltoallv` (MPI 4.1 §6.8).
#![allow(unsafe_code)]

use super::copied::SENDS_COPIES;
use super::large::{self, Share};
use super::lengths::{counts, lengths};
use super::op::Max;
use super::result::{filled, refilled};
use super::table::ALLTOALLV;
use super::vector::{Alltoallv, Side};
use crate::buffer::{
    Blocks, BlocksMut, Counted, Counts, FARTHEST, OwnedRecv, OwnedSend, PerRank, Region, WithCounts, blocks,
};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::error::{Argument, Result, Returned};
use crate::request::{BlocksLoan, Collective, Pending, Request, SharedLoan, raw_region};
use crate::scope::Scope;
use std::any::Any;
use std::ptr::NonNull;
use std::rc::Rc;

/// Memory, and which elements are whose.
type Counting<'a> = (Region, &'a Counts);

#[inline(always)]
fn sent<'a, T: Datatype>(blocks: Blocks<'a, T>) -> Counting<'a> {
    (Region::contiguous(blocks.data.as_ptr(), blocks.data.len()), blocks.counts)
}

/// A block out for each rank, a block in from each.
#[inline(always)]
fn described<T: Datatype>(
    (send, send_counts): Counting<'_>,
    (recv, recv_counts): Counting<'_>,
    comm: &Communicator,
) -> Result<Alltoallv> {
    let (call, ranks) = (ALLTOALLV.names.now(), comm.size());
    let send = Side::sent::<T>(call, send, send_counts, ranks)?;
    let recv = Side::received::<T>(call, recv, recv_counts, ranks)?;
    Alltoallv::new(ALLTOALLV, (send, send_counts), (recv, recv_counts), Some(comm.rank()))
}

/// What arrives takes the place of what is sent.
#[inline(always)]
fn in_place<T: Datatype>((both, counts): Counting<'_>, comm: &Communicator) -> Result<Alltoallv> {
    let both = Side::received::<T>(ALLTOALLV.names.now(), both, counts, comm.size())?;
    Ok(Alltoallv::in_place(ALLTOALLV, both))
}

/// What arrives takes the place of what is sent, which comes from a copy where there is one.
#[inline(always)]
fn in_place_or_from<T: Datatype>(
    copy: Option<&[T]>,
    both: Counting<'_>,
    comm: &Communicator,
) -> Result<Alltoallv> {
    match copy {
        Some(copy) => described::<T>(sent(copy.with_counts(both.1)), both, comm),
        None => in_place::<T>(both, comm),
    }
}

/// How much comes from each rank, and whether all ranks take `MPI_Alltoallw` because one of them must.
struct Told {
    coming: Counts,
    is_by_parts: bool,
}

impl Communicator {
    /// Sends a message of any length to every rank; gives what came from every rank, one rank's after the other's.
    ///
    /// `MPI_Alltoallv` (MPI 4.1 §6.8), after an `MPI_Alltoall` of the lengths. Where they are known,
    /// [`alltoallv_into`](Communicator::alltoallv_into) does without. Messages in nested vectors are copied into one
    /// buffer; blocks of a slice (`data.with_counts(&counts)`) and elements that are sorted by their ranks
    /// ([`Counted::by_rank`](crate::buffer::Counted::by_rank)) are not copied.
    ///
    /// With a library without large-count functions, an `MPI_Allreduce` finds out whether some rank needs them, if all
    /// ranks together send more than `i32::MAX` elements; then `MPI_Alltoallw` stands in.
    ///
    /// # Errors
    /// There is not one message for each rank; what MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no
    /// value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let per_rank: Vec<Vec<f64>> = (0..world.size()).map(|to| vec![0.5; to]).collect();
    /// let mine = world.alltoallv(&per_rank)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Alltoallv")]
    pub fn alltoallv<P>(&self, per_rank: &P) -> Result<Vec<P::Elem>>
    where
        P: PerRank<Elem: FromBits> + ?Sized,
    {
        self.alltoallv_with_counts(per_rank).map(|(all, _)| all)
    }

    /// As [`alltoallv`](Communicator::alltoallv), with how many elements came from each rank.
    ///
    /// # Errors
    /// As [`alltoallv`](Communicator::alltoallv).
    ///
    /// ```no_run
    /// use mpi::buffer::{Counts, WithCounts};
    /// # let world = mpi::init()?;
    /// let data = [1.5; 100];
    /// let counts = Counts::even(data.len(), world.size())?;
    /// let (got, from) = world.alltoallv_with_counts(&data.with_counts(&counts))?;
    /// for (rank, block) in from.split(&got).enumerate() {
    ///     println!("{rank} sent {block:?}");
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Alltoallv")]
    pub fn alltoallv_with_counts<P>(&self, per_rank: &P) -> Result<(Vec<P::Elem>, Counts)>
    where
        P: PerRank<Elem: FromBits> + ?Sized,
    {
        let flat = per_rank.flatten()?;
        let told = self.exchange_lengths(blocks(&flat))?;
        let got = filled(ALLTOALLV.names.now(), told.coming.total(), |recv| {
            // SAFETY: the memory is exclusively borrowed for the call.
            unsafe { self.alltoallv_told(blocks(&flat), recv, &told) }
        })?;
        Ok((got, told.coming))
    }

    /// As [`alltoallv_with_counts`](Communicator::alltoallv_with_counts), into a vector that is kept from call to call: it
    /// gets as many elements as came. What it held is not cleared first, and its memory serves again if it suffices.
    ///
    /// # Errors
    /// As [`alltoallv`](Communicator::alltoallv). The vector may then be empty, or have its new length, with elements it held
    /// before, zeros or some that came.
    #[doc(alias = "MPI_Alltoallv")]
    pub fn alltoallv_resizing<P>(&self, per_rank: &P, all: &mut Vec<P::Elem>) -> Result<Counts>
    where
        P: PerRank<Elem: AnyBits> + ?Sized,
    {
        let flat = per_rank.flatten()?;
        let told = self.exchange_lengths(blocks(&flat))?;
        refilled(ALLTOALLV.names.now(), all, told.coming.total(), |recv| {
            // SAFETY: the memory is exclusively borrowed for the call.
            unsafe { self.alltoallv_told(blocks(&flat), recv, &told) }
        })?;
        Ok(told.coming)
    }

    /// The exchange, when everybody knows how much comes.
    ///
    /// # Safety
    /// `recv` is exclusively borrowed for the call.
    unsafe fn alltoallv_told<T: Datatype>(
        &self,
        send: Blocks<'_, T>,
        recv: Region,
        told: &Told,
    ) -> Result<()> {
        let (send, recv) = (sent(send), (recv, &told.coming));
        let described = described::<T>(send, recv, self)?;
        if told.is_by_parts {
            let (send, recv) = (Share::Blocks(send.0, send.1), Share::Blocks(recv.0, recv.1));
            // SAFETY: both memories are borrowed for the call; checked by the description.
            return unsafe { large::exchange::<T>(self, send, recv, None, FARTHEST) };
        }
        // SAFETY: both memories are borrowed for the call.
        unsafe { self.collective(described) }
    }

    fn exchange_lengths<T: Datatype>(&self, send: Blocks<'_, T>) -> Result<Told> {
        let Blocks { data, counts: send } = send;
        send.fits(ALLTOALLV.names.now(), Argument::SendLength, data.len(), self.size())?;
        if ALLTOALLV.wide.is_some() {
            let lengths = self.alltoall(&lengths(send).collect::<Vec<_>>())?;
            return Ok(Told { coming: counts(lengths.iter().copied())?, is_by_parts: false });
        }
        // How far each rank's data reach travels along, so that all ranks see the same sum.
        let reach = send.total().max(send.span());
        let pairs: Vec<[u64; 2]> = lengths(send).map(|n| [n, reach as u64]).collect();
        let pairs = self.alltoall(&pairs)?;
        let coming = counts(pairs.iter().map(|&[length, _]| length))?;
        let all = pairs.iter().fold(0u64, |sum, &[_, reach]| sum.saturating_add(reach));
        let is_due = |total| large::is_due::<T, _>(ALLTOALLV.wide, total);
        let is_by_parts = is_due(usize::try_from(all).unwrap_or(usize::MAX))
            && self.allreduce(&u8::from(is_due(coming.total().max(reach))), Max)? != 0;
        Ok(Told { coming, is_by_parts })
    }

    /// Sends a block to every rank, and receives one from every rank into the blocks of another buffer. Exactly one MPI
    /// call.
    ///
    /// `MPI_Alltoallv` (MPI 4.1 §6.8). Two ranks agree on the length of what one sends to the other.
    ///
    /// # Errors
    /// There is not one count for each rank; the lengths of what this rank sends to itself differ; a block reaches past
    /// its buffer, or two that are received share elements; more than `i32::MAX` elements where the library has no
    /// large-count functions; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::buffer::{Counts, WithCounts};
    /// # let world = mpi::init()?;
    /// // Each rank gets as many numbers from each as its rank says.
    /// let outgoing = Counts::new(&(0..world.size()).collect::<Vec<_>>())?;
    /// let incoming = Counts::new(&vec![world.rank(); world.size()])?;
    /// let (send, mut recv) = (vec![0.5; outgoing.span()], vec![0.0; incoming.span()]);
    /// world.alltoallv_into(send.with_counts(&outgoing), recv.with_counts_mut(&incoming))?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Alltoallv")]
    #[inline(always)]
    pub fn alltoallv_into<T: AnyBits>(&self, send: Blocks<'_, T>, recv: BlocksMut<'_, T>) -> Result<()> {
        let (recv, counts) = BlocksLoan::new(recv).into_parts();
        match Alltoallv::plain::<T>(ALLTOALLV, sent(send), (raw_region(recv), counts), self) {
            // SAFETY: both memories are borrowed for the call, the second exclusively.
            Some(plain) => unsafe { self.collective(plain) },
            // SAFETY: as above.
            None => unsafe { self.alltoallv_any(send.data, send.counts, recv, counts) },
        }
    }

    /// The same with whatever it is given; apart, and by words, so that the hot path keeps everything in registers.
    ///
    /// # Safety
    /// `recv` is exclusively borrowed for the call.
    #[cold]
    unsafe fn alltoallv_any<T: Datatype>(
        &self,
        send: &[T],
        send_counts: &Counts,
        recv: NonNull<[T]>,
        counts: &Counts,
    ) -> Result<()> {
        let described =
            described::<T>(sent(send.with_counts(send_counts)), (raw_region(recv), counts), self)?;
        // SAFETY: this function's contract.
        unsafe { self.collective(described) }
    }

    /// Exchanges blocks with every rank, where what arrives takes the place of what is sent.
    ///
    /// `MPI_Alltoallv` with `MPI_IN_PLACE` (MPI 4.1 §6.8). Two ranks send each other as much.
    ///
    /// # Errors
    /// As [`alltoallv_into`](Communicator::alltoallv_into).
    #[doc(alias("MPI_Alltoallv", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn alltoallv_in_place<T: AnyBits>(&self, both: BlocksMut<'_, T>) -> Result<()> {
        let described = in_place::<T>(BlocksLoan::new(both).region(), self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to send a block to every rank and to receive one from every rank; the request owns both buffers, and
    /// gives them back.
    ///
    /// `MPI_Ialltoallv` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoallv_into`](Communicator::alltoallv_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ialltoallv")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ialltoallv<S, R>(
        &self,
        send: Counted<S>,
        recv: Counted<R>,
    ) -> Result<Pending<(Counted<S>, Counted<R>), Collective>, Returned<(Counted<S>, Counted<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (Counted<S>, Counted<R>)| {
            described::<S::Elem>(sent(send.blocks()), BlocksLoan::new(recv.blocks_mut()).region(), self)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the counts stay in place with them (`Counted`).
        unsafe { self.start_owned(ALLTOALLV, (send, recv), None, describe) }
    }

    /// Starts the same where what arrives takes the place of what is sent; the request owns the buffer, and gives it
    /// back. With Open MPI it sends from a copy (`docs/faults.md`, `ialltoallv-in-place`).
    ///
    /// `MPI_Ialltoallv` with `MPI_IN_PLACE` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoallv_in_place`](Communicator::alltoallv_in_place). The buffer comes back in the error.
    #[doc(alias("MPI_Ialltoallv", "MPI_IN_PLACE"))]
    pub fn ialltoallv_in_place<B: OwnedRecv>(
        &self,
        mut both: Counted<B>,
    ) -> Result<Pending<Counted<B>, Collective>, Returned<Counted<B>>> {
        let copy = SENDS_COPIES.then(|| Rc::new(both.blocks_mut().data.to_vec()));
        let kept = copy.clone().map(|copy| copy as Rc<dyn Any>);
        let describe = |both: &mut Counted<B>| {
            let (both, counts) = BlocksLoan::new(both.blocks_mut()).region();
            in_place_or_from::<B::Elem>(copy.as_ref().map(|copy| &copy[..]), (both, counts), self)
        };
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`); the counts stay in place with it (`Counted`); the copy
        // is kept.
        unsafe { self.start_owned(ALLTOALLV, both, kept, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to send a block to every rank and to receive one from every rank; both borrows come back from `wait`.
    ///
    /// `MPI_Ialltoallv` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoallv_into`](Communicator::alltoallv_into).
    #[doc(alias = "MPI_Ialltoallv")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "two borrows that come back")]
    pub fn ialltoallv<T: AnyBits>(
        self,
        send: Blocks<'s, T>,
        recv: BlocksMut<'s, T>,
    ) -> Result<Request<'s, (SharedLoan<Blocks<'s, T>>, BlocksLoan<'s, T>)>> {
        let recv = BlocksLoan::new(recv);
        let described = described::<T>(sent(send), recv.region(), self.comm);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively, and so are the counts.
        unsafe { self.collective(ALLTOALLV, described, (SharedLoan::new(send), recv)) }
    }

    /// Starts the same where what arrives takes the place of what is sent; the borrow comes back from `wait`.
    ///
    /// `MPI_Ialltoallv` with `MPI_IN_PLACE` (MPI 4.1 §6.12.6); with Open MPI from a copy, since its own form makes
    /// later operations hang (`docs/faults.md`, `ialltoallv-in-place`).
    ///
    /// # Errors
    /// As [`alltoallv_in_place`](Communicator::alltoallv_in_place).
    #[doc(alias("MPI_Ialltoallv", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn ialltoallv_in_place<T: AnyBits>(
        self,
        both: BlocksMut<'s, T>,
    ) -> Result<Request<'s, BlocksLoan<'s, T>>> {
        let copy = SENDS_COPIES.then(|| &self.keep(both.data.to_vec())[..]);
        let blocks = BlocksLoan::new(both);
        let described = in_place_or_from::<T>(copy, blocks.region(), self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized, and so are the counts; the copy is kept.
        unsafe { self.collective(ALLTOALLV, described, blocks) }
    }
}
