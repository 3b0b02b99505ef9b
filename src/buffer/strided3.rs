//! Views of blocks of a slice in three dimensions: [`Strided`] with one axis more.
//!
//! The elements travel plane after plane and row after row without being copied by this crate: MPI gets nested vector types
//! (MPI 4.1 §5.1.2, `MPI_Type_create_hvector`), as few as the shape needs.

use super::axes::region;
use super::view::{RawView, borrows, view};
use super::{LendRecv, LendSend, RecvBuf, Region, SendBuf, Strided, StridedMut};
use crate::datatype::{AnyBits, Datatype};
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};
use std::ptr::NonNull;

const CALL: Call = &"MPI_Type_create_hvector";

/// Where the elements of a view lie. Element `(p, r, c)` is at `base + p * strides[0] + r * strides[1] + c`, and all of them
/// are inside one allocation and differ: whoever makes a `Shape` has checked that.
#[derive(Debug)]
pub struct Shape<T> {
    base: NonNull<T>,
    dims: [usize; 3],
    strides: [usize; 2],
}
impl<T> Clone for Shape<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shape<T> {}

/// A shared view of planes of rows of elements.
pub struct Strided3<'a, T> {
    shape: Shape<T>,
    borrow: PhantomData<&'a [T]>,
}
/// An exclusive view of planes of rows of elements.
pub struct Strided3Mut<'a, T> {
    shape: Shape<T>,
    borrow: PhantomData<&'a mut [T]>,
}

/// The element after the last one of a view at `offset`; `None` if the shape overlaps itself or overflows.
fn end(offset: usize, dims: [usize; 3], strides: [usize; 2]) -> Option<usize> {
    if dims.contains(&0) {
        return Some(offset);
    }
    let reach = |copies: usize, stride: usize, one: usize| match copies {
        1 => Some(one),
        _ if stride < one => None,
        _ => (copies - 1).checked_mul(stride)?.checked_add(one),
    };
    let plane = reach(dims[1], strides[1], dims[2])?;
    reach(dims[0], strides[0], plane)?.checked_add(offset)
}

impl<T> Shape<T> {
    /// A shape inside `len` elements from `base`.
    fn within(
        base: NonNull<T>,
        len: usize,
        at: usize,
        dims: [usize; 3],
        strides: [usize; 2],
    ) -> Result<Self> {
        match end(at, dims, strides) {
            Some(end) if end <= len => {
                // SAFETY: `at <= end <= len`, so the place is inside the slice or one past its end.
                let base = unsafe { base.add(at) };
                Ok(Shape { base, dims, strides })
            }
            end => Err(Error::length(CALL, Argument::View, end.unwrap_or(usize::MAX), len)),
        }
    }

    fn is_empty(&self) -> bool {
        self.dims.contains(&0)
    }

    /// How far from the first element one is, of which each index is in range and may be one of an empty view.
    fn offset(&self, p: usize, r: usize, c: usize) -> usize {
        if self.is_empty() { 0 } else { p * self.strides[0] + r * self.strides[1] + c }
    }

    /// A block of this shape.
    #[track_caller]
    fn block(self, [planes, rows, cols]: [Range<usize>; 3]) -> Self {
        let inside = |range: &Range<usize>, n: usize| range.start <= range.end && range.end <= n;
        let [of_planes, of_rows, of_cols] = self.dims;
        assert!(
            inside(&planes, of_planes) && inside(&rows, of_rows) && inside(&cols, of_cols),
            "planes {planes:?}, rows {rows:?}, columns {cols:?} are not inside a view of {of_planes} x {of_rows} x {of_cols}",
        );
        let dims = [planes.len(), rows.len(), cols.len()];
        if dims.contains(&0) {
            return Shape { dims, ..self };
        }
        // SAFETY: the first element of the block is an element of this shape.
        let base = unsafe { self.base.add(self.offset(planes.start, rows.start, cols.start)) };
        Shape { base, dims, strides: self.strides }
    }

    /// Where a plane begins.
    #[track_caller]
    fn plane(self, p: usize) -> NonNull<T> {
        assert!(p < self.dims[0], "plane {p} of a view of {} planes", self.dims[0]);
        // SAFETY: the plane's first element, which is one of this shape if any is.
        unsafe { self.base.add(self.offset(p, 0, 0)) }
    }

    #[track_caller]
    fn row(self, p: usize, r: usize) -> NonNull<[T]> {
        let [planes, rows, cols] = self.dims;
        assert!(p < planes && r < rows, "row ({p}, {r}) of a view of {planes} x {rows} rows");
        // SAFETY: the row's first element, which is one of this shape if any is.
        let start = unsafe { self.base.add(self.offset(p, r, 0)) };
        NonNull::slice_from_raw_parts(start, cols)
    }

    #[track_caller]
    fn at(self, p: usize, r: usize, c: usize) -> NonNull<T> {
        let [planes, rows, cols] = self.dims;
        assert!(
            p < planes && r < rows && c < cols,
            "element ({p}, {r}, {c}) of a view of {planes} x {rows} x {cols}"
        );
        // SAFETY: (p, r, c) is an element of this shape.
        unsafe { self.base.add(self.offset(p, r, c)) }
    }
}

impl<T: Datatype> Shape<T> {
    fn region(&self) -> Result<Region> {
        // Of two planes or rows both begin inside a slice, so their distance in bytes is one; that of a single one may be any.
        let stride = |axis: usize| if self.dims[axis] > 1 { self.strides[axis] as isize } else { 0 };
        let strides = [stride(0), stride(1), 1];
        region(self.base.as_ptr(), &self.dims, &strides, false)
    }
}

impl<'a, T> Strided3<'a, T> {
    /// `dims` planes, rows and columns, of which the first element is `slice[offset]`. Planes begin `strides[0]` elements apart,
    /// rows `strides[1]`.
    ///
    /// # Errors
    /// The view would reach past the slice, or planes or rows overlap.
    ///
    /// ```
    /// # use mpi::buffer::Strided3;
    /// let cube: Vec<u32> = (0..27).collect(); // 3 x 3 x 3
    /// let face = Strided3::new(&cube, 2, [3, 3, 1], [9, 3])?;
    /// assert_eq!(face.iter().copied().collect::<Vec<_>>(), [2, 5, 8, 11, 14, 17, 20, 23, 26]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn new(slice: &'a [T], offset: usize, dims: [usize; 3], strides: [usize; 2]) -> Result<Self> {
        let shape = Shape::within(NonNull::from(slice).cast(), slice.len(), offset, dims, strides)?;
        Ok(Strided3 { shape, borrow: PhantomData })
    }
    /// How many planes, rows in a plane, and elements in a row.
    pub fn dims(&self) -> [usize; 3] {
        self.shape.dims
    }
    /// One plane.
    ///
    /// # Panics
    /// If there is no such plane.
    #[track_caller]
    pub fn plane(&self, p: usize) -> Strided<'a, T> {
        let ([_, rows, cols], [_, stride]) = (self.shape.dims, self.shape.strides);
        // SAFETY: a plane of the view, which borrows it for `'a`, and which is only read: exclusivity is given up at once.
        unsafe { StridedMut::from_parts(self.shape.plane(p), rows, cols, stride) }.shared()
    }
    /// One row of a plane.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, p: usize, r: usize) -> &'a [T] {
        // SAFETY: a row of the view, which borrows it for `'a`.
        unsafe { self.shape.row(p, r).as_ref() }
    }
    /// The elements, plane after plane and row after row: the order in which they travel.
    pub fn iter(&self) -> impl Iterator<Item = &'a T> + use<'a, T> {
        let view = *self;
        let [planes, rows, _] = if view.shape.is_empty() { [0; 3] } else { view.dims() };
        (0..planes).flat_map(move |p| (0..rows).flat_map(move |r| view.row(p, r)))
    }
    /// A block of the view, in ranges of planes, rows and columns; how the faces of an interior are named.
    ///
    /// # Panics
    /// If the block is not inside the view.
    #[track_caller]
    pub fn block(&self, ranges: [Range<usize>; 3]) -> Strided3<'a, T> {
        Strided3 { shape: self.shape.block(ranges), borrow: PhantomData }
    }
}

impl<'a, T> Strided3Mut<'a, T> {
    /// `dims` planes, rows and columns, of which the first element is `slice[offset]`. Planes begin `strides[0]` elements apart,
    /// rows `strides[1]`.
    ///
    /// # Errors
    /// The view would reach past the slice, or planes or rows overlap.
    pub fn new(slice: &'a mut [T], offset: usize, dims: [usize; 3], strides: [usize; 2]) -> Result<Self> {
        let len = slice.len();
        let shape = Shape::within(NonNull::from(slice).cast(), len, offset, dims, strides)?;
        Ok(Strided3Mut { shape, borrow: PhantomData })
    }
    /// How many planes, rows in a plane, and elements in a row.
    pub fn dims(&self) -> [usize; 3] {
        self.shape.dims
    }
    /// One plane.
    ///
    /// # Panics
    /// If there is no such plane.
    #[track_caller]
    pub fn plane(&self, p: usize) -> Strided<'_, T> {
        self.as_shared().plane(p)
    }
    /// One plane, to be written.
    ///
    /// # Panics
    /// If there is no such plane.
    #[track_caller]
    pub fn plane_mut(&mut self, p: usize) -> StridedMut<'_, T> {
        self.reborrow().into_plane(p)
    }
    /// One plane, for the rest of `'a`.
    ///
    /// # Panics
    /// If there is no such plane.
    #[track_caller]
    pub fn into_plane(self, p: usize) -> StridedMut<'a, T> {
        let ([_, rows, cols], [_, stride]) = (self.shape.dims, self.shape.strides);
        // SAFETY: a plane of the view, which is gone and had it exclusively for `'a`; its rows do not overlap.
        unsafe { StridedMut::from_parts(self.shape.plane(p), rows, cols, stride) }
    }
    /// One row of a plane.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, p: usize, r: usize) -> &[T] {
        // SAFETY: a row of the view, borrowed from `self`.
        unsafe { self.shape.row(p, r).as_ref() }
    }
    /// One row of a plane, to be written.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_mut(&mut self, p: usize, r: usize) -> &mut [T] {
        // SAFETY: a row of the view, exclusively borrowed from `self`.
        unsafe { self.shape.row(p, r).as_mut() }
    }
    /// The same view for a shorter time.
    pub fn reborrow(&mut self) -> Strided3Mut<'_, T> {
        Strided3Mut { shape: self.shape, borrow: PhantomData }
    }
    /// Gives up exclusivity for the rest of `'a`.
    pub fn shared(self) -> Strided3<'a, T> {
        Strided3 { shape: self.shape, borrow: PhantomData }
    }
    /// A look at the view while it stays exclusive.
    pub fn as_shared(&self) -> Strided3<'_, T> {
        Strided3 { shape: self.shape, borrow: PhantomData }
    }
    /// A block of the view.
    ///
    /// # Panics
    /// If the block is not inside the view.
    #[track_caller]
    pub fn block(self, ranges: [Range<usize>; 3]) -> Strided3Mut<'a, T> {
        Strided3Mut { shape: self.shape.block(ranges), borrow: PhantomData }
    }
    /// A view of elements that nobody else refers to.
    ///
    /// # Safety
    /// All elements of the shape lie in one allocation that is borrowed for `'a`, and no other reference or view
    /// refers to any of them; planes do not overlap, nor do rows.
    pub(crate) unsafe fn from_parts(base: NonNull<T>, dims: [usize; 3], strides: [usize; 2]) -> Self {
        Strided3Mut { shape: Shape { base, dims, strides }, borrow: PhantomData }
    }
}

impl<T> Index<(usize, usize, usize)> for Strided3<'_, T> {
    type Output = T;
    #[track_caller]
    fn index(&self, (p, r, c): (usize, usize, usize)) -> &T {
        // SAFETY: an element of the view, which borrows it.
        unsafe { self.shape.at(p, r, c).as_ref() }
    }
}
impl<T> Index<(usize, usize, usize)> for Strided3Mut<'_, T> {
    type Output = T;
    #[track_caller]
    fn index(&self, (p, r, c): (usize, usize, usize)) -> &T {
        // SAFETY: an element of the view, borrowed from `self`.
        unsafe { self.shape.at(p, r, c).as_ref() }
    }
}
impl<T> IndexMut<(usize, usize, usize)> for Strided3Mut<'_, T> {
    #[track_caller]
    fn index_mut(&mut self, (p, r, c): (usize, usize, usize)) -> &mut T {
        // SAFETY: an element of the view, exclusively borrowed from `self`.
        unsafe { self.shape.at(p, r, c).as_mut() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Strided3<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.dims()[0]).map(|p| self.plane(p))).finish()
    }
}
impl<T: fmt::Debug> fmt::Debug for Strided3Mut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_shared().fmt(f)
    }
}

// A `Shape` names elements of one allocation, each once, by a pointer; the views borrow them.
view!(Strided3, Strided3Mut, shape: Shape<T>);
borrows!(Strided3, Strided3Mut);
