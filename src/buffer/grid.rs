//! A two-dimensional array with a halo: how disjoint parts of one allocation are lent.

use super::StridedMut;
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

const CALL: Call = &"MPI_Type_create_hvector";

/// Whatever is done to all cells is done to each, so cells that cost nothing may still take for ever.
const MAX_WITHOUT_BYTES: usize = 1 << 24;

/// A row-major array of `rows` x `cols` interior cells with a border of ghost cells of width `ghost`.
///
/// Cells are indexed with the ghosts: the interior is `ghost..ghost + rows` by `ghost..ghost + cols`.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    /// `rows * cols` cells, ghosts included.
    data: Vec<T>,
    rows: usize,
    cols: usize,
    ghost: usize,
}

/// The parts of a [`Grid`], pairwise disjoint: what a halo exchange receives into, and the interior.
#[derive(Debug)]
#[non_exhaustive]
pub struct Halo<'g, T> {
    /// The ghost rows above the interior, as wide as the interior.
    pub north: StridedMut<'g, T>,
    /// The ghost rows below the interior.
    pub south: StridedMut<'g, T>,
    /// The ghost columns to the left of the interior.
    pub west: StridedMut<'g, T>,
    /// The ghost columns to the right of the interior.
    pub east: StridedMut<'g, T>,
    /// The interior.
    pub core: StridedMut<'g, T>,
}

impl<T: Clone> Grid<T> {
    /// A grid filled with `value`.
    ///
    /// # Errors
    /// The number of cells overflows; or of a type without bytes it is more than 2^24, which no memory would limit.
    pub fn new(rows: usize, cols: usize, ghost: usize, value: T) -> Result<Self> {
        let ([rows, cols], cells) = with_ghosts::<T, 2>([rows, cols], [ghost; 2])?;
        Ok(Grid { data: vec![value; cells], rows, cols, ghost })
    }
}

/// The lengths of the axes with the ghosts on both sides, and how many cells that makes: no more than there may be of `T`, nor is
/// the product of the last axes larger than a number.
pub(super) fn with_ghosts<T, const N: usize>(
    core: [usize; N],
    ghost: [usize; N],
) -> Result<([usize; N], usize)> {
    let too_large = || Error::length(CALL, Argument::View, usize::MAX, isize::MAX as usize);
    let (mut dims, mut cells) = (core, 1usize);
    // From the last axis on, so that a plane does not overflow either, if there is none.
    for (n, ghosts) in dims.iter_mut().zip(ghost).rev() {
        *n = ghosts.checked_mul(2).and_then(|both| n.checked_add(both)).ok_or_else(too_large)?;
        cells = cells.checked_mul(*n).ok_or_else(too_large)?;
    }
    cells.checked_mul(size_of::<T>()).filter(|&b| isize::try_from(b).is_ok()).ok_or_else(too_large)?;
    if size_of::<T>() == 0 && cells > MAX_WITHOUT_BYTES {
        return Err(Error::length(CALL, Argument::View, cells, MAX_WITHOUT_BYTES));
    }
    Ok((dims, cells))
}

impl<T> Grid<T> {
    /// Rows and columns, ghosts included.
    pub fn dims(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }
    /// Rows and columns of the interior.
    pub fn core_dims(&self) -> (usize, usize) {
        (self.rows - 2 * self.ghost, self.cols - 2 * self.ghost)
    }
    /// The width of the border.
    pub fn ghost(&self) -> usize {
        self.ghost
    }
    /// All cells, row after row.
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }
    /// All cells, row after row.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }
    /// All cells, row after row.
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }
    /// One row, ghosts included.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, r: usize) -> &[T] {
        assert!(r < self.rows, "row {r} of a grid of {} rows", self.rows);
        &self.data[r * self.cols..(r + 1) * self.cols]
    }
    /// One row, ghosts included, to be written.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_mut(&mut self, r: usize) -> &mut [T] {
        assert!(r < self.rows, "row {r} of a grid of {} rows", self.rows);
        &mut self.data[r * self.cols..(r + 1) * self.cols]
    }

    /// Splits the grid into interior and borders, which can be lent independently.
    pub fn split(&mut self) -> Halo<'_, T> {
        let (g, stride) = (self.ghost, self.cols);
        let (rows, cols) = self.core_dims();
        let base = NonNull::from(self.data.as_mut_slice()).cast::<T>();
        let part = |r0: usize, c0: usize, rows: usize, cols: usize| {
            // An empty part stays at the start: its corner may lie past the end.
            let offset = if rows == 0 || cols == 0 { 0 } else { r0 * stride + c0 };
            // SAFETY: a part that is not empty lies inside the grid, so its first element does.
            let base = unsafe { base.add(offset) };
            // SAFETY: the five rectangles below share no element, and the grid is exclusively borrowed.
            unsafe { StridedMut::from_parts(base, rows, cols, stride) }
        };
        Halo {
            north: part(0, g, g, cols),
            south: part(g + rows, g, g, cols),
            west: part(g, 0, rows, g),
            east: part(g, g + cols, rows, g),
            core: part(g, g, rows, cols),
        }
    }
}

impl<T> Index<(usize, usize)> for Grid<T> {
    type Output = T;
    #[track_caller]
    fn index(&self, (r, c): (usize, usize)) -> &T {
        &self.row(r)[c]
    }
}
impl<T> IndexMut<(usize, usize)> for Grid<T> {
    #[track_caller]
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut T {
        &mut self.row_mut(r)[c]
    }
}
