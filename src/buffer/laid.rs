//! Layouts applied to slices: what `layout.of(&slice)` gives.
//!
//! A view keeps the slice, where in it the layout begins, and a borrow of the layout, which has MPI's type.

use super::view::{RawView, view};
use super::{LendRecv, LendSend, RecvBuf, Region, SendBuf};
use crate::datatype::{AnyBits, Datatype, Layout};
use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

const CALL: Call = &"MPI_Type_commit";

/// A slice and where in it a layout lies. All of the layout's elements are in the slice: whoever makes a `Spot` has checked.
#[derive(Debug)]
pub struct Spot<'a, T> {
    slice: NonNull<[T]>,
    /// The element of the slice that is the layout's origin; perhaps none that exists.
    origin: usize,
    layout: &'a Layout<T>,
}
impl<T> Clone for Spot<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Spot<'_, T> {}

/// The elements of a slice that a layout names, to be sent.
pub struct Laid<'a, T> {
    spot: Spot<'a, T>,
    borrow: PhantomData<&'a [T]>,
}
/// The elements of a slice that a layout names, each once, to be received into.
pub struct LaidMut<'a, T> {
    spot: Spot<'a, T>,
    borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T: Datatype> Spot<'a, T> {
    fn within(slice: NonNull<[T]>, origin: usize, layout: &'a Layout<T>) -> Result<Self> {
        let (first, last) = layout.reach();
        let start = origin as i128 + i128::from(first);
        let end = origin as i128 + i128::from(last);
        if layout.is_empty() {
            return Ok(Spot { slice, origin, layout });
        }
        if start < 0 {
            return Err(Error::argument(CALL, Argument::LayoutStart, first.saturating_neg(), origin as u64));
        }
        if end > slice.len() as i128 {
            let end = usize::try_from(end).unwrap_or(usize::MAX);
            return Err(Error::length(CALL, Argument::View, end, slice.len()));
        }
        Ok(Spot { slice, origin, layout })
    }

    /// Where an element lies that is so far from the origin.
    fn at(&self, place: i64) -> *mut T {
        // Distances of elements inside the slice; the origin itself may be outside, so nothing is said of what lies there.
        let origin = self.slice.cast::<T>().as_ptr().wrapping_add(self.origin);
        origin.wrapping_offset(place as isize)
    }

    fn region(&self) -> Result<Region> {
        let (first, last) = self.layout.reach();
        let len = self.layout.len();
        if len == 0 || T::UNITS == 0 || self.layout.is_run() {
            return Ok(Region::contiguous(self.at(first), len));
        }
        debug_assert!(first < last);
        live(CALL)?; // the description of a view asks MPI, so it comes before the check of the call it is for
        let made = self.layout.description()?;
        Ok(Region { ptr: self.at(made.offset).cast(), len, count: made.count, datatype: made.datatype })
    }
}

impl<T: Datatype> Layout<T> {
    /// The layout applied to a slice, whose first element is the origin: a send buffer.
    ///
    /// # Errors
    /// It reaches past the end of the slice, or before its start.
    ///
    /// ```
    /// # use mpi::datatype::Layout;
    /// let column = Layout::<u32>::element().vector(3, 1, 4)?;
    /// assert!(column.of(&[0; 9]).is_ok());
    /// assert!(column.of(&[0; 8]).is_err());
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn of<'a>(&'a self, slice: &'a [T]) -> Result<Laid<'a, T>> {
        self.of_at(slice, 0)
    }

    /// The same with `slice[origin]` as the origin: for layouts that reach backwards.
    ///
    /// # Errors
    /// It reaches past the end of the slice, or before its start.
    ///
    /// ```
    /// # use mpi::datatype::Layout;
    /// let backwards = Layout::<u32>::element().vector(3, 1, -1)?;
    /// let numbers = [1, 2, 3];
    /// assert!(backwards.of_at(&numbers, 2).is_ok());
    /// assert!(backwards.of_at(&numbers, 1).is_err());
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn of_at<'a>(&'a self, slice: &'a [T], origin: usize) -> Result<Laid<'a, T>> {
        let spot = Spot::within(NonNull::from(slice), origin, self)?;
        Ok(Laid { spot, borrow: PhantomData })
    }

    /// The layout applied to a slice, whose first element is the origin: a receive buffer.
    ///
    /// # Errors
    /// It reaches past the end of the slice, or before its start, or names an element twice.
    pub fn of_mut<'a>(&'a self, slice: &'a mut [T]) -> Result<LaidMut<'a, T>> {
        self.of_at_mut(slice, 0)
    }

    /// The same with `slice[origin]` as the origin.
    ///
    /// # Errors
    /// As [`of_mut`](Layout::of_mut).
    pub fn of_at_mut<'a>(&'a self, slice: &'a mut [T], origin: usize) -> Result<LaidMut<'a, T>> {
        let spot = Spot::within(NonNull::from(slice), origin, self)?;
        if !self.is_disjoint() {
            let (first, last) = self.reach();
            return Err(Error::length(CALL, Argument::LayoutOverlap, self.len(), (last - first) as usize));
        }
        Ok(LaidMut { spot, borrow: PhantomData })
    }
}

impl<'a, T> Laid<'a, T> {
    /// The slice, with what the layout leaves out.
    pub fn slice(&self) -> &'a [T] {
        // SAFETY: borrowed for `'a`.
        unsafe { self.spot.slice.as_ref() }
    }
    /// The layout.
    pub fn layout(&self) -> &'a Layout<T> {
        self.spot.layout
    }
}

impl<'a, T> LaidMut<'a, T> {
    /// The slice, with what the layout leaves out.
    pub fn slice(&self) -> &[T] {
        // SAFETY: borrowed for `'a`, through `self`.
        unsafe { self.spot.slice.as_ref() }
    }
    /// The slice, with what the layout leaves out, to be written.
    pub fn slice_mut(&mut self) -> &mut [T] {
        // SAFETY: exclusively borrowed for `'a`, through `self`.
        unsafe { self.spot.slice.as_mut() }
    }
    /// The slice, for as long as it was lent.
    pub fn into_slice(mut self) -> &'a mut [T] {
        // SAFETY: exclusively borrowed for `'a`; the view is gone.
        unsafe { self.spot.slice.as_mut() }
    }
    /// The layout.
    pub fn layout(&self) -> &'a Layout<T> {
        self.spot.layout
    }
}

impl<T: fmt::Debug + Datatype> fmt::Debug for Laid<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(self.slice(), &self.spot, f)
    }
}
impl<T: fmt::Debug + Datatype> fmt::Debug for LaidMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(self.slice(), &self.spot, f)
    }
}

/// The elements in the order in which they travel.
fn debug<T: fmt::Debug + Datatype>(
    slice: &[T],
    spot: &Spot<'_, T>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let places = spot.layout.places().into_iter();
    f.debug_list().entries(places.map(|place| &slice[spot.origin.wrapping_add_signed(place)])).finish()
}

// A `Spot` names elements of a slice by a pointer, each once where the view is exclusive (`of_at_mut`); the views borrow them.
view!(Laid, LaidMut, spot: Spot<'s, T>);
