//! `MPI_Neighbor_alltoallv` (MPI 4.1 §8.6.2).
#![allow(unsafe_code)]

use super::routed::{Edge, Routed};
use super::{Neighborly, counted};
use crate::buffer::{Blocks, BlocksMut, Counts, LendRecv, LendSend, OwnedRecv, OwnedSend, Region};
use crate::buffer::{recv_region, send_region};
use crate::collective::result::filled;
use crate::collective::table::NEIGHBOR_ALLTOALLV;
use crate::collective::vector::{Alltoallv, Side};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::error::{Argument, Result, Returned};
use crate::ffi::Call;
use crate::request::{Collective, PairLoan, Pending, Request, pair};
use crate::scope::Scope;
use crate::topology::Form;
use std::rc::Rc;

/// Memory with a block for each neighbour.
type Counted<'a> = (Region, &'a Counts);

fn call() -> Call {
    NEIGHBOR_ALLTOALLV.names.now()
}

/// A block of `send` to each neighbour.
#[inline(always)]
fn sent<'a>(comm: &Communicator, region: Region, counts: &'a Counts) -> Result<Counted<'a>> {
    counts.fits(call(), Argument::SendLength, region.len, comm.neighbors(call())?.dests)?;
    Ok((region, counts))
}

/// A block of `recv` from each neighbour.
#[inline(always)]
fn received<'a>(comm: &Communicator, region: Region, counts: &'a Counts) -> Result<Counted<'a>> {
    counts.fits_writing(call(), region.len, comm.neighbors(call())?.sources)?;
    Ok((region, counts))
}

/// An exchange of what has to be checked against the counts.
#[inline(always)]
pub(crate) fn checked<T: Datatype>(
    comm: &Communicator,
    form: Form,
    (send, send_counts): Counted<'_>,
    (recv, recv_counts): Counted<'_>,
) -> Result<Neighborly<Alltoallv>> {
    let out = sent(comm, send, send_counts)?;
    exchange::<T>(comm, form, out, received(comm, recv, recv_counts)?)
}

#[inline(always)]
fn exchange<T: Datatype>(
    comm: &Communicator,
    form: Form,
    (send, send_counts): Counted<'_>,
    (recv, recv_counts): Counted<'_>,
) -> Result<Neighborly<Alltoallv>> {
    if !comm.neighbors(call())?.are_swapped(form) {
        let out = (Side::new::<T>(call(), send, send_counts)?, send_counts);
        let into = (Side::new::<T>(call(), recv, recv_counts)?, recv_counts);
        return Alltoallv::new(NEIGHBOR_ALLTOALLV, out, into, None).map(Neighborly::Direct);
    }
    let out = (send.ptr, Edge::varied::<T>(call(), send_counts)?);
    let into = (recv.ptr, Edge::varied::<T>(call(), recv_counts)?);
    Routed::new(&NEIGHBOR_ALLTOALLV.names, comm, out, into).map(Neighborly::Routed)
}

impl Communicator {
    /// Sends a block of any length to every neighbour, and collects one from every neighbour, one after the other.
    ///
    /// `MPI_Neighbor_alltoallv` (MPI 4.1 §8.6.2), after an `MPI_Neighbor_alltoall` of the lengths. `send` is a slice
    /// [with counts](crate::buffer::WithCounts) for each neighbour, in the order of
    /// [`neighbor_alltoall`](Communicator::neighbor_alltoall). From beyond an edge nothing comes.
    ///
    /// # Errors
    /// The communicator has no topology; there is not one count for each neighbour; `send` is too short; what MPI reports;
    /// for `bool`, `char` and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// use mpi::buffer::{Counts, WithCounts};
    /// # let world = mpi::init()?;
    /// let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    /// let particles = [1.5, 2.5, 3.5]; // one leaves to the left, two to the right
    /// let arrived = ring.neighbor_alltoallv(particles.with_counts(&Counts::new(&[1, 2])?))?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_alltoallv")]
    pub fn neighbor_alltoallv<T: FromBits>(&self, send: Blocks<'_, T>) -> Result<Vec<T>> {
        self.neighbor_alltoallv_with_counts(send).map(|(result, _)| result)
    }

    /// As [`neighbor_alltoallv`](Communicator::neighbor_alltoallv), with how many elements came from each neighbour.
    ///
    /// # Errors
    /// As [`neighbor_alltoallv`](Communicator::neighbor_alltoallv).
    #[doc(alias = "MPI_Neighbor_alltoallv")]
    pub fn neighbor_alltoallv_with_counts<T: FromBits>(
        &self,
        send: Blocks<'_, T>,
    ) -> Result<(Vec<T>, Counts)> {
        let out = sent(self, Region::contiguous(send.data.as_ptr(), send.data.len()), send.counts)?;
        let lengths: Vec<u64> = send.counts.to_vec().into_iter().map(|n| n as u64).collect();
        let counts = counted(self.neighbor_alltoall(&lengths)?)?;
        let result = filled::<T>(call(), counts.total(), |recv| {
            let described = exchange::<T>(self, Form::Blocking, out, received(self, recv, &counts)?)?;
            // SAFETY: both memories are borrowed for the call, and so are the counts.
            unsafe { self.collective(described) }
        })?;
        Ok((result, counts))
    }

    /// As [`neighbor_alltoallv`](Communicator::neighbor_alltoallv), where the lengths are known: into a buffer
    /// [with counts](crate::buffer::WithCounts) for each neighbour. Exactly one MPI call.
    ///
    /// # Errors
    /// The communicator has no topology; there is not one count for each neighbour; a buffer is too short, or blocks that
    /// are received into overlap; or what MPI reports.
    #[doc(alias = "MPI_Neighbor_alltoallv")]
    #[inline]
    pub fn neighbor_alltoallv_into<T: AnyBits>(
        &self,
        send: Blocks<'_, T>,
        recv: BlocksMut<'_, T>,
    ) -> Result<()> {
        let out = (Region::contiguous(send.data.as_ptr(), send.data.len()), send.counts);
        let into = (Region::contiguous(recv.data.as_mut_ptr(), recv.data.len()), recv.counts);
        let described = checked::<T>(self, Form::Blocking, out, into)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively, and so are the counts.
        unsafe { self.collective(described) }
    }

    /// Starts to exchange blocks of any length with every neighbour; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Ineighbor_alltoallv` (MPI 4.1 §8.7.4). The counts say how many elements of `send` go to each neighbour, and how
    /// many of `recv` come from each.
    ///
    /// # Errors
    /// As [`neighbor_alltoallv_into`](Communicator::neighbor_alltoallv_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ineighbor_alltoallv")]
    pub fn ineighbor_alltoallv<S, R>(
        &self,
        send: S,
        send_counts: &Counts,
        recv: R,
        recv_counts: &Counts,
    ) -> Result<Pending<(S, R), Collective>, Returned<(S, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, R)| {
            let out = (send_region(send), send_counts);
            checked::<S::Elem>(self, Form::Later, out, (recv_region(recv), recv_counts))
        };
        let counts = Rc::new((send_counts.clone(), recv_counts.clone()));
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the counts are kept.
        unsafe { self.start_owned(NEIGHBOR_ALLTOALLV, (send, recv), Some(counts), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to exchange blocks of any length with every neighbour; both borrows come back from `wait`.
    ///
    /// `MPI_Ineighbor_alltoallv` (MPI 4.1 §8.7.4).
    ///
    /// # Errors
    /// As [`neighbor_alltoallv_into`](Communicator::neighbor_alltoallv_into).
    #[doc(alias = "MPI_Ineighbor_alltoallv")]
    #[inline]
    pub fn ineighbor_alltoallv<T: AnyBits>(
        self,
        send: Blocks<'s, T>,
        recv: BlocksMut<'s, T>,
    ) -> Result<Request<'s, PairLoan<'s, &'s [T], &'s mut [T]>>> {
        let (out, out_raw) = send.data.lend()?;
        let (into, into_raw) = LendRecv::lend(recv.data)?;
        let described = checked::<T>(self.comm, Form::Later, (out, send.counts), (into, recv.counts));
        // SAFETY: both memories are borrowed for `'s`, the second exclusively, and so are the counts.
        unsafe { self.collective(NEIGHBOR_ALLTOALLV, described, pair(out_raw, into_raw)) }
    }
}
