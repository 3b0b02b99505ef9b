//! A started plan: what can be read and written while MPI communicates.
#![allow(unsafe_code)]

use super::array::{Array, ArrayId};
use super::block::{Block, Place};
use super::lend::Owned;
use super::plan::Plan;
use crate::buffer::{Strided, Strided3, Strided3Mut, StridedMut};
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use crate::request::Test;
use crate::status::Status;
use std::fmt;
use std::mem::ManuallyDrop;

/// The operations of a [`Plan`] in flight.
///
/// Blocks that are not received can be read, blocks that are neither received nor sent can be written. Dropping it
/// waits ([how](Plan#dropping-it)), and what fails then is said by the plan's next use. If it is forgotten, the plan waits
/// before its next use.
#[must_use = "dropping a flight waits for its operations: say so with `.wait()`"]
pub struct Flight<'p, 'c, H = Owned> {
    plan: &'p mut Plan<'c, H>,
}

impl<'p, 'c, H> Flight<'p, 'c, H> {
    #[inline(always)]
    pub(super) fn new(plan: &'p mut Plan<'c, H>) -> Self {
        Flight { plan }
    }

    /// A block of one plane, to be read.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, overlaps one that is received, or is not of one plane.
    pub fn view<T, A>(&self, id: ArrayId<T, A>, block: impl Into<Block>) -> Result<Strided<'_, T>> {
        const CALL: Call = &"Flight::view";
        let (array, place) = self.readable(CALL, id, &block.into())?;
        one_plane(CALL, place)?;
        // SAFETY: `readable` of an array of `T`.
        Ok(unsafe { array.flat(place) })
    }

    /// A block of an array of [several planes](Plan::grid3), to be read.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, or overlaps one that is received.
    pub fn view3<T, A>(&self, id: ArrayId<T, A>, block: impl Into<Block>) -> Result<Strided3<'_, T>> {
        let (array, place) = self.readable(&"Flight::view3", id, &block.into())?;
        // SAFETY: `readable` of an array of `T`.
        Ok(unsafe { array.view(place) })
    }

    /// Where a block lies of which MPI receives nothing. Nobody else writes to it as long as the flight is borrowed, since
    /// writing to an array needs the flight exclusively.
    fn readable<T, A>(&self, call: Call, id: ArrayId<T, A>, block: &Block) -> Result<(&Array, Place)> {
        let array = self.plan.find(call, id)?;
        let place = array.place(call, block)?;
        array.not_received(call, block)?;
        Ok((array, place))
    }

    /// A block of one plane, to be written.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, overlaps one that is received or sent, or is not of one
    /// plane.
    pub fn view_mut<T>(&mut self, id: ArrayId<T>, block: impl Into<Block>) -> Result<StridedMut<'_, T>> {
        const CALL: Call = &"Flight::view_mut";
        let (array, place) = self.writable(CALL, id, &block.into())?;
        one_plane(CALL, place)?;
        // SAFETY: `writable` of an array of `T`; the flight is exclusively borrowed.
        Ok(unsafe { array.flat_mut(place) })
    }

    /// A block of an array of [several planes](Plan::grid3), to be written.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, or overlaps one that is received or sent.
    pub fn view3_mut<T>(&mut self, id: ArrayId<T>, block: impl Into<Block>) -> Result<Strided3Mut<'_, T>> {
        let (array, place) = self.writable(&"Flight::view3_mut", id, &block.into())?;
        // SAFETY: `writable` of an array of `T`; the flight is exclusively borrowed.
        Ok(unsafe { array.view_mut(place) })
    }

    /// Where a block lies which MPI does not use before the plan is started again, of an array of the plan's own, or lent
    /// exclusively.
    fn writable<T>(&self, call: Call, id: ArrayId<T>, block: &Block) -> Result<(&Array, Place)> {
        let array = self.plan.find(call, id)?;
        let place = array.place(call, block)?;
        array.not_used(call, block)?;
        Ok((array, place))
    }

    /// A block to be read and another to be written, of one array or of two.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// # let mut plan = mpi::persistent::Plan::new(&world);
    /// let (old, new) = (plan.array([1.0f32; 100]), plan.array([0.0f32; 100]));
    /// let mut flight = plan.start()?;
    /// let (old, mut new) = flight.pair((old, 0..100), (new, 0..100))?;
    /// for (new, old) in new.row_mut(0).iter_mut().zip(old.iter()) {
    ///     *new = 2.0 * old;
    /// }
    /// # flight.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`view`](Flight::view) and [`view_mut`](Flight::view_mut); or the two overlap.
    pub fn pair<T, A, U>(
        &mut self,
        (read, from): (ArrayId<T, A>, impl Into<Block>),
        (write, into): (ArrayId<U>, impl Into<Block>),
    ) -> Result<(Strided<'_, T>, StridedMut<'_, U>)> {
        const CALL: Call = &"Flight::pair";
        let ((old, from), (new, into)) = self.apart(CALL, (read, from.into()), (write, into.into()))?;
        one_plane(CALL, from)?;
        one_plane(CALL, into)?;
        // SAFETY: `readable` of an array of `T`, and the block that is written shares no element with it.
        let old = unsafe { old.flat(from) };
        // SAFETY: `writable` of an array of `U`, and the block that is read shares no element with it; the flight is
        // exclusively borrowed.
        Ok((old, unsafe { new.flat_mut(into) }))
    }

    /// The same for arrays of [several planes](Plan::grid3).
    ///
    /// # Errors
    /// As [`view3`](Flight::view3) and [`view3_mut`](Flight::view3_mut); or the two overlap.
    pub fn pair3<T, A, U>(
        &mut self,
        (read, from): (ArrayId<T, A>, impl Into<Block>),
        (write, into): (ArrayId<U>, impl Into<Block>),
    ) -> Result<(Strided3<'_, T>, Strided3Mut<'_, U>)> {
        let (from, into) = ((read, from.into()), (write, into.into()));
        let ((old, from), (new, into)) = self.apart(&"Flight::pair3", from, into)?;
        // SAFETY: `readable` of an array of `T`, and the block that is written shares no element with it.
        let old = unsafe { old.view(from) };
        // SAFETY: `writable` of an array of `U`, and the block that is read shares no element with it; the flight is
        // exclusively borrowed.
        Ok((old, unsafe { new.view_mut(into) }))
    }

    /// Where a block lies that can be read, and another that can be written and shares no element with it.
    #[expect(clippy::type_complexity, reason = "two arrays, each with a place")]
    fn apart<T, A, U>(
        &self,
        call: Call,
        (read, from): (ArrayId<T, A>, Block),
        (write, into): (ArrayId<U>, Block),
    ) -> Result<((&Array, Place), (&Array, Place))> {
        let places = (self.readable(call, read, &from)?, self.writable(call, write, &into)?);
        if read.index == write.index && from.meets(&into) {
            return Err(Error::length(call, Argument::PairOverlap, read.index, 0));
        }
        Ok(places)
    }

    /// Waits until all operations are complete, without limit.
    ///
    /// `MPI_Waitall` (MPI 4.1 §3.7.5), or with Open MPI what stands for it (fault `waitall-spins`).
    ///
    /// # Errors
    /// What MPI reports, such as a truncated message; [`Error::call`] and [`Error::index`] say of which operation. The
    /// others are then complete as well, and the plan can be used and started again.
    #[doc(alias = "MPI_Waitall")]
    #[inline(always)]
    pub fn wait(self) -> Result<()> {
        ManuallyDrop::new(self).plan.wait_all()
    }

    /// The same for a plan of one operation.
    ///
    /// # Safety
    /// It is one.
    #[inline(always)]
    pub(super) unsafe fn wait_for_the_one(self) -> Result<()> {
        // SAFETY: this function's contract.
        unsafe { ManuallyDrop::new(self).plan.wait_for_these(1) }
    }

    /// The same for a plan of at most one operation, with its status.
    #[inline(always)]
    pub(super) fn wait_for_one(self) -> Result<Option<Status>> {
        let flight = ManuallyDrop::new(self);
        flight.plan.wait_all()?;
        Ok(flight.status())
    }

    fn status(&self) -> Option<Status> {
        debug_assert!(self.plan.operations() <= 1);
        self.plan.statuses.first().map(|status| Status::from_raw(status.get()))
    }

    /// Asks whether all operations are complete; gives the flight back if not.
    ///
    /// `MPI_Testall` (MPI 4.1 §3.7.5). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports. What is still in flight is waited for before the plan's next use.
    #[doc(alias = "MPI_Testall")]
    #[inline(always)]
    pub fn test(self) -> Result<Test<(), Self>> {
        let flight = ManuallyDrop::new(self);
        if flight.plan.test_all()? {
            return Ok(Test::Done(()));
        }
        Ok(Test::Pending(ManuallyDrop::into_inner(flight)))
    }

    /// The same for a plan of at most one operation, with its status.
    #[inline(always)]
    pub(super) fn test_for_one(self) -> Result<Test<Option<Status>, Self>> {
        let flight = ManuallyDrop::new(self);
        if flight.plan.test_all()? {
            return Ok(Test::Done(flight.status()));
        }
        Ok(Test::Pending(ManuallyDrop::into_inner(flight)))
    }

    /// An array of which nothing is received.
    ///
    /// # Panics
    /// If that is not so.
    pub(super) fn read_all<T>(&self, id: ArrayId<T>) -> &[T] {
        let array = self.plan.find(&"Flight::view", id).expect("an array of this plan");
        assert!(array.is_only_sent());
        // SAFETY: as in `view`, for all elements.
        unsafe { array.slice() }
    }
}

/// `Err` if the place is not of one plane.
fn one_plane(call: Call, place: Place) -> Result<()> {
    if place.is_flat() { Ok(()) } else { Err(Error::length(call, Argument::OnePlane, place.dims[0], 1)) }
}

impl<H> Drop for Flight<'_, '_, H> {
    fn drop(&mut self) {
        self.plan.complete_dropped();
    }
}

impl<H> fmt::Debug for Flight<'_, '_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flight").field("plan", &self.plan).finish()
    }
}
