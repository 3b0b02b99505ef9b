//! The parts of an array with a border in three dimensions: [`Halo`](super::Halo) with one axis more.

use super::Strided3Mut;
use super::border::Border;
use crate::error::Result;
use std::array::from_fn;
use std::ptr::NonNull;

/// Borrowed cells as planes of rows of cells with a border of ghost cells: what a [`Grid3`](super::Grid3) is, of memory that
/// somebody else owns.
#[derive(Debug)]
pub struct Grid3Mut<'g, T> {
    cells: &'g mut [T],
    border: Border<3>,
}

/// The parts of a grid in three dimensions, pairwise disjoint: what a halo exchange receives into, and the interior. Ghosts
/// that lie beyond two or three faces are in none of them: see [`split_all`](super::Grid3::split_all).
#[derive(Debug)]
#[non_exhaustive]
pub struct Halo3<'g, T> {
    /// The ghosts before the first plane of the interior.
    pub front: Strided3Mut<'g, T>,
    /// The ghosts after its last plane.
    pub back: Strided3Mut<'g, T>,
    /// The ghosts above its first row, in every plane.
    pub north: Strided3Mut<'g, T>,
    /// The ghosts below its last row.
    pub south: Strided3Mut<'g, T>,
    /// The ghosts to the left of its first column.
    pub west: Strided3Mut<'g, T>,
    /// The ghosts to the right of its last column.
    pub east: Strided3Mut<'g, T>,
    /// The interior.
    pub core: Strided3Mut<'g, T>,
}

impl<'g, T> Grid3Mut<'g, T> {
    /// All of `cells`: planes, rows and columns of the interior, and how many ghosts there are on either side of it along each
    /// axis.
    ///
    /// # Errors
    /// There are more or fewer cells than the axes with their ghosts make.
    pub fn new(cells: &'g mut [T], core_dims: [usize; 3], ghost: [usize; 3]) -> Result<Self> {
        let border = Border::within(&"Grid3Mut::new", cells.len(), core_dims, ghost)?;
        Ok(Grid3Mut { cells, border })
    }

    /// Cells that were counted before.
    ///
    /// # Safety
    /// There are as many cells as the border was made for.
    pub(super) unsafe fn of_counted(cells: &'g mut [T], border: Border<3>) -> Self {
        Grid3Mut { cells, border }
    }

    /// Splits the grid into interior and borders, which can be lent independently.
    pub fn split(self) -> Halo3<'g, T> {
        let [[_, [_, front, _], _], [[_, north, _], [west, core, east], [_, south, _]], [_, [_, back, _], _]] =
            self.split_all();
        Halo3 { front, back, north, south, west, east, core }
    }

    /// Splits the grid into 27 parts, which are all of it: see [`Grid3::split_all`](super::Grid3::split_all).
    pub fn split_all(self) -> [[[Strided3Mut<'g, T>; 3]; 3]; 3] {
        let (border, base) = (self.border, NonNull::from(self.cells).cast::<T>());
        let [_, rows, cols] = border.dims;
        let part = |sides: [usize; 3]| {
            let (offset, dims) = border.part(sides);
            // SAFETY: the border was made for as many cells as there are, so the first cell of a part that is not empty is one of
            // them; an empty part stays at the start.
            let base = unsafe { base.add(offset) };
            // SAFETY: two parts share no cell, and the cells are exclusively borrowed for `'g`, by the value that is gone.
            unsafe { Strided3Mut::from_parts(base, dims, [rows * cols, cols]) }
        };
        from_fn(|i| from_fn(|j| from_fn(|k| part([i, j, k]))))
    }
}
