//! `MPI_Bcast` (MPI 4.1 §6.4).
#![allow(unsafe_code)]

use super::describe::Broadcast;
use super::result::filled;
use super::table::BCAST;
use crate::buffer::zeroed::{from_bits, zeroed};
use crate::buffer::{LendRecv, LendSend, OwnedRecv, RecvBuf, Region, SendBuf, recv_region};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Error, Result, Returned};
use crate::request::{Collective, Pending, Request, WriteLoan};
use crate::scope::Scope;

impl Communicator {
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
        let described = Broadcast::new(BCAST, RecvBuf::region(buf)?, root, self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Gives everybody the root's value, which it alone gives.
    ///
    /// `MPI_Bcast` (MPI 4.1 §6.4). Of every type that can be received, also `bool`, `char`, `NonZero*`, enums and structs
    /// of them.
    ///
    /// # Errors
    /// There is no rank `root`; it gives no value, or another rank does; what MPI reports; bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let chosen = (world.rank() == 0).then_some('x');
    /// let chosen: char = world.bcast_value(chosen.as_ref(), 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Bcast")]
    pub fn bcast_value<T: FromBits>(&self, value: Option<&T>, root: usize) -> Result<T> {
        let call = BCAST.names.now();
        if let Some(value) = self.for_root(call, value, root)? {
            // A copy: MPICH writes at the root too, what it has read.
            let mut copy = *value;
            return self.bcast_region(Region::contiguous(&raw mut copy, 1), root).map(|()| *value);
        }
        let mut bits = zeroed::<T::Bits>();
        self.bcast_region(Region::contiguous::<T>((&raw mut bits).cast(), 1), root)?;
        from_bits(bits).ok_or_else(|| Error::invalid(call, 0))
    }

    /// Gives everybody the root's elements, however many, which it alone gives.
    ///
    /// `MPI_Bcast` (MPI 4.1 §6.4), after another of their number. Where that is known, [`bcast`](Communicator::bcast)
    /// does without.
    ///
    /// # Errors
    /// As [`bcast_value`](Communicator::bcast_value).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let input = (world.rank() == 0).then(|| vec![0.5; 1000]);
    /// let input: Vec<f64> = world.bcast_vec(input.as_deref(), 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Bcast")]
    pub fn bcast_vec<T: FromBits>(&self, data: Option<&[T]>, root: usize) -> Result<Vec<T>> {
        let call = BCAST.names.now();
        let len = self.bcast_value(data.map(|data| data.len() as u64).as_ref(), root)?;
        if let Some(data) = data {
            let mut copy = data.to_vec();
            return self.bcast_region(Region::contiguous(copy.as_mut_ptr(), copy.len()), root).map(|()| copy);
        }
        filled(call, usize::try_from(len).unwrap_or(usize::MAX), |all| self.bcast_region(all, root))
    }

    /// Of memory that is the caller's own, and initialized at the root.
    fn bcast_region(&self, buf: Region, root: usize) -> Result<()> {
        let described = Broadcast::new(BCAST, buf, root, self)?;
        // SAFETY: nobody else uses it during the call.
        unsafe { self.collective(described) }
    }

    /// Starts to copy the root's buffer into everybody's; the request owns it, and gives it back.
    ///
    /// `MPI_Ibcast` (MPI 4.1 §6.12.2).
    ///
    /// # Errors
    /// As [`bcast`](Communicator::bcast). The buffer comes back in the error.
    #[doc(alias = "MPI_Ibcast")]
    pub fn ibcast<B: OwnedRecv>(&self, buf: B, root: usize) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| Broadcast::new(BCAST, recv_region(buf), root, self);
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(BCAST, buf, None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to copy the root's buffer into everybody's; the borrow comes back from `wait`.
    ///
    /// `MPI_Ibcast` (MPI 4.1 §6.12.2).
    ///
    /// # Errors
    /// As [`bcast`](Communicator::bcast).
    #[doc(alias = "MPI_Ibcast")]
    #[inline]
    pub fn ibcast<B>(self, buf: B, root: usize) -> Result<Request<'s, WriteLoan<'s, B>>>
    where
        B: LendRecv<'s> + LendSend<'s>,
    {
        let (region, raw) = LendRecv::lend(buf)?;
        let described = Broadcast::new(BCAST, region, root, self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized.
        unsafe { self.collective(BCAST, described, WriteLoan::new(raw)) }
    }
}
