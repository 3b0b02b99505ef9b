//! The parts of an array with a border in two dimensions: how disjoint parts of one borrow are lent.

use super::StridedMut;
use super::border::Border;
use crate::error::Result;
use std::array::from_fn;
use std::ptr::NonNull;

/// Borrowed cells as a row-major array of `rows` x `cols` interior cells with a border of ghost cells: what a
/// [`Grid`](super::Grid) is, of memory that somebody else owns.
///
/// ```
/// use mpi::buffer::{GridMut, Halo};
/// let mut cells = [0u8; 4 * 5]; // or memory from MPI, or an array of another crate
/// let Halo { mut north, mut core, .. } = GridMut::new(&mut cells, 2, 3, [1, 1])?.split();
/// (north[(0, 0)], core[(0, 0)]) = (1, 2);
/// assert_eq!(cells[..10], [0, 1, 0, 0, 0, 0, 2, 0, 0, 0]);
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Debug)]
pub struct GridMut<'g, T> {
    cells: &'g mut [T],
    border: Border<2>,
}

/// The parts of a grid, pairwise disjoint: what a halo exchange receives into, and the interior. The ghosts at the corners are
/// in none of them: see [`split_all`](super::Grid::split_all).
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

impl<'g, T> GridMut<'g, T> {
    /// All of `cells`: an interior of `rows` x `cols`, and on either side of it `ghosts[0]` rows and `ghosts[1]` columns.
    ///
    /// # Errors
    /// There are not `(rows + 2 * ghosts[0]) * (cols + 2 * ghosts[1])` cells.
    pub fn new(cells: &'g mut [T], rows: usize, cols: usize, ghosts: [usize; 2]) -> Result<Self> {
        let border = Border::within(&"GridMut::new", cells.len(), [rows, cols], ghosts)?;
        Ok(GridMut { cells, border })
    }

    /// Cells that were counted before.
    ///
    /// # Safety
    /// There are as many cells as the border was made for.
    pub(super) unsafe fn of_counted(cells: &'g mut [T], border: Border<2>) -> Self {
        GridMut { cells, border }
    }

    /// Splits the grid into interior and borders, which can be lent independently.
    pub fn split(self) -> Halo<'g, T> {
        let [[_, north, _], [west, core, east], [_, south, _]] = self.split_all();
        Halo { north, south, west, east, core }
    }

    /// Splits the grid into nine parts, which are all of it: see [`Grid::split_all`](super::Grid::split_all).
    pub fn split_all(self) -> [[StridedMut<'g, T>; 3]; 3] {
        let (border, base) = (self.border, NonNull::from(self.cells).cast::<T>());
        let [_, stride] = border.dims;
        let part = |sides: [usize; 2]| {
            let (offset, [rows, cols]) = border.part(sides);
            // SAFETY: the border was made for as many cells as there are, so the first cell of a part that is not empty is one of
            // them; an empty part stays at the start.
            let base = unsafe { base.add(offset) };
            // SAFETY: two parts share no cell, and the cells are exclusively borrowed for `'g`, by the value that is gone.
            unsafe { StridedMut::from_parts(base, rows, cols, stride) }
        };
        from_fn(|i| from_fn(|j| part([i, j])))
    }
}
