//! An array of a plan, whatever its element type.
#![allow(unsafe_code)]

use super::block::{Block, Place, Shape};
use crate::buffer::{Region, Strided, Strided3, Strided3Mut, StridedMut};
use crate::datatype::Datatype;
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// The plan may write to the array: it owns it, or borrows it exclusively.
#[derive(Debug)]
pub enum Exclusive {}
/// The plan borrows the array as others do: it can be sent and read.
#[derive(Debug)]
pub enum Shared {}

/// Names an array of a [`Plan`](super::Plan), its element type, and whether the plan may write to it.
pub struct ArrayId<T, A = Exclusive> {
    /// The number of the plan, which no other plan of the process has.
    pub(super) plan: u64,
    pub(super) index: usize,
    kind: PhantomData<fn(T) -> T>,
    access: PhantomData<fn(A) -> A>,
}
impl<T, A> ArrayId<T, A> {
    pub(super) fn new(plan: u64, index: usize) -> Self {
        ArrayId { plan, index, kind: PhantomData, access: PhantomData }
    }
}
impl<T, A> Clone for ArrayId<T, A> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, A> Copy for ArrayId<T, A> {}
impl<T, A> PartialEq for ArrayId<T, A> {
    fn eq(&self, other: &Self) -> bool {
        (self.plan, self.index) == (other.plan, other.index)
    }
}
impl<T, A> Eq for ArrayId<T, A> {}
impl<T, A> fmt::Debug for ArrayId<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayId").field("plan", &self.plan).field("index", &self.index).finish()
    }
}

/// The raw parts of a `Vec<T>` or of a borrowed slice, and the blocks of it that MPI uses while the plan is active.
/// Dropping it leaks the elements of a `Vec`: whoever knows that MPI is done calls [`free`](Array::free) or
/// [`into_vec`](Array::into_vec).
pub(crate) struct Array {
    base: NonNull<u8>,
    len: usize,
    /// Of the `Vec`; 0 if the elements are borrowed.
    capacity: usize,
    shape: Shape,
    receives: Vec<Block>,
    sends: Vec<Block>,
    free: unsafe fn(Array),
}

impl Array {
    pub(super) fn new<T: Datatype>(vec: Vec<T>, shape: Shape) -> Self {
        let mut vec = ManuallyDrop::new(vec);
        let (len, capacity) = (vec.len(), vec.capacity());
        // From the `Vec`, not from a slice: nothing stands between this pointer and the allocation.
        let base = NonNull::new(vec.as_mut_ptr()).expect("a vector is never at null").cast();
        Array { base, len, capacity, shape, receives: Vec::new(), sends: Vec::new(), free: free::<T> }
    }

    /// Borrowed elements, which [`free`](Array::free) leaves alone.
    pub(super) fn lent<T: Datatype>(elements: NonNull<[T]>, shape: Shape) -> Self {
        let (base, len) = (elements.cast(), elements.len());
        Array { base, len, capacity: 0, shape, receives: Vec::new(), sends: Vec::new(), free: |_| () }
    }

    /// Borrowed elements in one row.
    pub(crate) fn lent_row<T: Datatype>(elements: NonNull<[T]>) -> Self {
        Self::lent(elements, Shape::row(elements.len()))
    }

    /// An array of one row.
    pub(crate) fn row<T: Datatype>(vec: Vec<T>) -> Self {
        let shape = Shape::row(vec.len());
        Self::new(vec, shape)
    }

    /// The first element. The array is one of `T`.
    pub(crate) fn base<T>(&self) -> NonNull<T> {
        self.base.cast()
    }

    /// All elements, as MPI wants them described. The array is one of `T`.
    pub(crate) fn region<T: Datatype>(&self) -> Region {
        Region::contiguous(self.base::<T>().as_ptr(), self.len)
    }

    /// # Safety
    /// MPI does not use the array, and will not.
    pub(crate) unsafe fn free(self) {
        // SAFETY: made for the element type of this array; the rest is this function's contract.
        unsafe { (self.free)(self) }
    }

    /// # Safety
    /// The array was made of a `Vec<T>`; MPI does not use it, and will not.
    pub(crate) unsafe fn into_vec<T>(self) -> Vec<T> {
        // SAFETY: the parts of a `Vec<T>` that `new` took apart; `self` is consumed, so once.
        unsafe { Vec::from_raw_parts(self.base.cast().as_ptr(), self.len, self.capacity) }
    }

    /// # Safety
    /// The array is one of `T`, and neither MPI nor a reference writes to it for `'a`.
    pub(crate) unsafe fn slice<'a, T>(&self) -> &'a [T] {
        // SAFETY: initialized elements; the rest is this function's contract.
        unsafe { NonNull::slice_from_raw_parts(self.base.cast::<T>(), self.len).as_ref() }
    }

    /// # Safety
    /// The array is one of `T`, and for `'a` neither MPI nor another reference uses it.
    pub(crate) unsafe fn slice_mut<'a, T>(&self) -> &'a mut [T] {
        // SAFETY: initialized elements; the rest is this function's contract.
        unsafe { NonNull::slice_from_raw_parts(self.base.cast::<T>(), self.len).as_mut() }
    }

    /// # Safety
    /// The array is one of `T`, and neither MPI nor a reference writes to these elements for `'a`.
    pub(super) unsafe fn view<'a, T>(&self, place: Place) -> Strided3<'a, T> {
        // SAFETY: what is only read may be shared, so giving up exclusivity at once makes this contract enough.
        unsafe { self.view_mut::<T>(place) }.shared()
    }

    /// # Safety
    /// The array is one of `T`, and for `'a` neither MPI nor another reference uses these elements.
    pub(super) unsafe fn view_mut<'a, T>(&self, place: Place) -> Strided3Mut<'a, T> {
        let Place { offset, dims, strides } = place;
        // SAFETY: `Shape::place` has found the offset inside the array.
        let start = unsafe { self.base.cast::<T>().add(offset) };
        // SAFETY: `Shape::place` has found every element inside the array, planes and rows as far apart as the array's own;
        // the rest is this function's contract.
        unsafe { Strided3Mut::from_parts(start, dims, strides) }
    }

    /// The same for a place of one plane.
    ///
    /// # Safety
    /// As of [`view`](Array::view).
    pub(super) unsafe fn flat<'a, T>(&self, place: Place) -> Strided<'a, T> {
        // SAFETY: as in `view`.
        unsafe { self.flat_mut::<T>(place) }.shared()
    }

    /// The same for a place of one plane.
    ///
    /// # Safety
    /// As of [`view_mut`](Array::view_mut).
    pub(super) unsafe fn flat_mut<'a, T>(&self, place: Place) -> StridedMut<'a, T> {
        debug_assert!(place.is_flat());
        // SAFETY: this function's contract.
        unsafe { self.view_mut::<T>(place) }.into_plane(0)
    }

    /// The block of all elements.
    pub(super) fn whole(&self) -> Block {
        self.shape.whole()
    }

    pub(super) fn place(&self, call: Call, block: &Block) -> Result<Place> {
        self.shape.place(call, block)
    }

    /// `Err` if MPI may write to the block in flight.
    pub(super) fn not_received(&self, call: Call, block: &Block) -> Result<()> {
        match self.receives.iter().position(|other| other.meets(block)) {
            Some(i) => Err(Error::length(call, Argument::ReceiveOverlap, i, self.receives.len())),
            None => Ok(()),
        }
    }

    /// `Err` if MPI may read or write the block in flight.
    pub(super) fn not_used(&self, call: Call, block: &Block) -> Result<()> {
        self.not_received(call, block)?;
        match self.sends.iter().position(|other| other.meets(block)) {
            Some(i) => Err(Error::length(call, Argument::SendOverlap, i, self.sends.len())),
            None => Ok(()),
        }
    }

    /// Whether MPI never writes to the array.
    pub(super) fn is_only_sent(&self) -> bool {
        self.receives.is_empty()
    }

    pub(super) fn add_receive(&mut self, block: Block) {
        self.receives.push(block);
    }
    pub(super) fn add_send(&mut self, block: Block) {
        self.sends.push(block);
    }
}

/// # Safety
/// The array was made of a `Vec<T>`; MPI does not use it, and will not.
unsafe fn free<T>(array: Array) {
    // SAFETY: this function's contract.
    drop(unsafe { array.into_vec::<T>() });
}
