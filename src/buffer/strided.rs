//! Views of rows, columns and blocks of a slice: `rows` runs of `cols` elements, `stride` apart.
//!
//! The elements travel row after row without being copied by this crate: MPI gets a vector type of the view's
//! shape (MPI 4.1 §5.1.2, `MPI_Type_create_hvector`), or a plain count where the view is contiguous.

use super::view::{RawView, borrows, view};
use super::{LendRecv, LendSend, RecvBuf, Region, SendBuf};
use crate::datatype::repeat::Vector;
use crate::datatype::{AnyBits, Datatype, RawDatatype};
use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};
use std::ptr::NonNull;

const CALL: Call = &"MPI_Type_create_hvector";

/// Where the elements of a view lie. Element `(r, c)` is at `base + r * stride + c`, and all of them are inside
/// one allocation: whoever makes a `Shape` has checked that.
#[derive(Debug)]
pub struct Shape<T> {
    base: NonNull<T>,
    rows: usize,
    cols: usize,
    stride: usize,
}
impl<T> Clone for Shape<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shape<T> {}

/// A shared view of `rows` runs of `cols` elements each.
pub struct Strided<'a, T> {
    shape: Shape<T>,
    borrow: PhantomData<&'a [T]>,
}
/// An exclusive view of `rows` runs of `cols` elements each.
pub struct StridedMut<'a, T> {
    shape: Shape<T>,
    borrow: PhantomData<&'a mut [T]>,
}

/// How many elements of a slice a view of this shape spans; `None` if the shape overlaps itself or overflows.
fn span(offset: usize, rows: usize, cols: usize, stride: usize) -> Option<usize> {
    if rows == 0 || cols == 0 {
        return Some(offset);
    }
    if rows > 1 && stride < cols {
        return None;
    }
    (rows - 1).checked_mul(stride)?.checked_add(cols)?.checked_add(offset)
}

impl<T> Shape<T> {
    /// A shape inside `len` elements from `base`.
    fn within(
        base: NonNull<T>,
        len: usize,
        at: usize,
        rows: usize,
        cols: usize,
        stride: usize,
    ) -> Result<Self> {
        match span(at, rows, cols, stride) {
            Some(end) if end <= len => {
                // SAFETY: `at <= end <= len`, so the place is inside the slice or one past its end.
                let base = unsafe { base.add(at) };
                Ok(Shape { base, rows, cols, stride })
            }
            end => Err(Error::length(CALL, Argument::View, end.unwrap_or(usize::MAX), len)),
        }
    }

    /// A rectangle of this shape.
    #[track_caller]
    fn block(self, rows: Range<usize>, cols: Range<usize>) -> Self {
        assert!(
            rows.start <= rows.end
                && rows.end <= self.rows
                && cols.start <= cols.end
                && cols.end <= self.cols,
            "rows {rows:?}, columns {cols:?} are not inside a view of {} x {}",
            self.rows,
            self.cols
        );
        if rows.is_empty() || cols.is_empty() {
            return Shape { rows: rows.len(), cols: cols.len(), ..self };
        }
        // SAFETY: element (rows.start, cols.start) is an element of this shape.
        let base = unsafe { self.base.add(rows.start * self.stride + cols.start) };
        Shape { base, rows: rows.len(), cols: cols.len(), stride: self.stride }
    }

    #[track_caller]
    fn row(self, r: usize) -> NonNull<[T]> {
        assert!(r < self.rows, "row {r} of a view of {} rows", self.rows);
        if self.cols == 0 {
            return NonNull::slice_from_raw_parts(self.base, 0);
        }
        // SAFETY: the row's first element is an element of this shape.
        let start = unsafe { self.base.add(r * self.stride) };
        NonNull::slice_from_raw_parts(start, self.cols)
    }

    #[track_caller]
    fn at(self, r: usize, c: usize) -> NonNull<T> {
        assert!(
            r < self.rows && c < self.cols,
            "element ({r}, {c}) of a view of {} x {}",
            self.rows,
            self.cols
        );
        // SAFETY: (r, c) is an element of this shape.
        unsafe { self.base.add(r * self.stride + c) }
    }

    fn len(&self) -> usize {
        self.rows * self.cols // no overflow: so many elements exist, or one of the two is 0
    }
}

impl<T: Datatype> Shape<T> {
    fn region(&self) -> Result<Region> {
        // Elements without size make no datatype of their own: some libraries cannot receive with one that has none (fault
        // `zero-size-receive`).
        if self.rows <= 1 || self.cols == 0 || self.stride == self.cols || T::UNITS == 0 {
            return Ok(Region::contiguous(self.base.as_ptr(), self.len()));
        }
        live(CALL)?; // the description of a view asks MPI, so it comes before the check of the call it is for
        let vector = Vector {
            blocks: self.rows,
            block: self.cols * T::UNITS,
            // No overflow: the next row begins inside the slice.
            stride: (self.stride * size_of::<T>()) as isize,
            base: T::unit().0,
        };
        let datatype = RawDatatype(vector.committed()?);
        Ok(Region { ptr: self.base.as_ptr().cast(), len: self.len(), count: 1, datatype })
    }
}

impl<'a, T> Strided<'a, T> {
    /// `rows` runs of `cols` elements, `stride` apart, the first one at `slice[offset]`.
    ///
    /// # Errors
    /// The view would reach past the slice, or its rows overlap (`stride < cols`).
    ///
    /// ```
    /// # use mpi::buffer::Strided;
    /// let matrix: Vec<u32> = (0..12).collect(); // 3 x 4
    /// let column = Strided::new(&matrix, 1, 3, 1, 4)?;
    /// assert_eq!(column.iter().copied().collect::<Vec<_>>(), [1, 5, 9]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias("MPI_Type_vector", "MPI_Type_create_hvector"))]
    pub fn new(slice: &'a [T], offset: usize, rows: usize, cols: usize, stride: usize) -> Result<Self> {
        let shape = Shape::within(NonNull::from(slice).cast(), slice.len(), offset, rows, cols, stride)?;
        Ok(Strided { shape, borrow: PhantomData })
    }
    /// How many runs.
    pub fn rows(&self) -> usize {
        self.shape.rows
    }
    /// How many elements in a run.
    pub fn cols(&self) -> usize {
        self.shape.cols
    }
    /// One run.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, r: usize) -> &'a [T] {
        // SAFETY: a row of the view, which borrows it for `'a`.
        unsafe { self.shape.row(r).as_ref() }
    }
    /// The elements, row after row: the order in which they travel.
    pub fn iter(&self) -> impl Iterator<Item = &'a T> + use<'a, T> {
        let view = *self;
        (0..view.rows()).flat_map(move |r| view.row(r))
    }
    /// A rectangle of the view; how the edges of a core are named.
    ///
    /// # Panics
    /// If the rectangle is not inside the view.
    #[track_caller]
    pub fn block(&self, rows: Range<usize>, cols: Range<usize>) -> Strided<'a, T> {
        Strided { shape: self.shape.block(rows, cols), borrow: PhantomData }
    }
}

impl<'a, T> StridedMut<'a, T> {
    /// `rows` runs of `cols` elements, `stride` apart, the first one at `slice[offset]`.
    ///
    /// # Errors
    /// The view would reach past the slice, or its rows overlap (`stride < cols`).
    pub fn new(slice: &'a mut [T], offset: usize, rows: usize, cols: usize, stride: usize) -> Result<Self> {
        let len = slice.len();
        let shape = Shape::within(NonNull::from(slice).cast(), len, offset, rows, cols, stride)?;
        Ok(StridedMut { shape, borrow: PhantomData })
    }
    /// How many runs.
    pub fn rows(&self) -> usize {
        self.shape.rows
    }
    /// How many elements in a run.
    pub fn cols(&self) -> usize {
        self.shape.cols
    }
    /// One run.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, r: usize) -> &[T] {
        // SAFETY: a row of the view, borrowed from `self`.
        unsafe { self.shape.row(r).as_ref() }
    }
    /// One run, to be written.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_mut(&mut self, r: usize) -> &mut [T] {
        // SAFETY: a row of the view, exclusively borrowed from `self`.
        unsafe { self.shape.row(r).as_mut() }
    }
    /// The same view for a shorter time.
    pub fn reborrow(&mut self) -> StridedMut<'_, T> {
        StridedMut { shape: self.shape, borrow: PhantomData }
    }
    /// Gives up exclusivity for the rest of `'a`.
    pub fn shared(self) -> Strided<'a, T> {
        Strided { shape: self.shape, borrow: PhantomData }
    }
    /// A look at the view while it stays exclusive.
    pub fn as_shared(&self) -> Strided<'_, T> {
        Strided { shape: self.shape, borrow: PhantomData }
    }
    /// A rectangle of the view.
    ///
    /// # Panics
    /// If the rectangle is not inside the view.
    #[track_caller]
    pub fn block(self, rows: Range<usize>, cols: Range<usize>) -> StridedMut<'a, T> {
        StridedMut { shape: self.shape.block(rows, cols), borrow: PhantomData }
    }
    /// A view of elements that nobody else refers to.
    ///
    /// # Safety
    /// All elements of the shape lie in one allocation that is borrowed for `'a`, and no other reference or view
    /// refers to any of them; rows do not overlap.
    pub(crate) unsafe fn from_parts(base: NonNull<T>, rows: usize, cols: usize, stride: usize) -> Self {
        StridedMut { shape: Shape { base, rows, cols, stride }, borrow: PhantomData }
    }
}

impl<T> Index<(usize, usize)> for Strided<'_, T> {
    type Output = T;
    #[track_caller]
    fn index(&self, (r, c): (usize, usize)) -> &T {
        // SAFETY: an element of the view, which borrows it.
        unsafe { self.shape.at(r, c).as_ref() }
    }
}
impl<T> Index<(usize, usize)> for StridedMut<'_, T> {
    type Output = T;
    #[track_caller]
    fn index(&self, (r, c): (usize, usize)) -> &T {
        // SAFETY: an element of the view, borrowed from `self`.
        unsafe { self.shape.at(r, c).as_ref() }
    }
}
impl<T> IndexMut<(usize, usize)> for StridedMut<'_, T> {
    #[track_caller]
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T {
        // SAFETY: an element of the view, exclusively borrowed from `self`.
        unsafe { self.shape.at(r, c).as_mut() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Strided<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.rows()).map(|r| self.row(r))).finish()
    }
}
impl<T: fmt::Debug> fmt::Debug for StridedMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_shared().fmt(f)
    }
}

// A `Shape` names elements of one allocation, each once, by a pointer; the views borrow them.
view!(Strided, StridedMut, shape: Shape<T>);
borrows!(Strided, StridedMut);
