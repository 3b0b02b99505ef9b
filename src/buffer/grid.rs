//! A two-dimensional array with a halo, which owns its cells.

use super::border::Border;
use super::{GridMut, Halo, StridedMut};
use crate::error::{Result, Returned};
use std::ops::{Index, IndexMut};

/// A row-major array of `rows` x `cols` interior cells with a border of ghost cells: of one width, or of one for each axis,
/// which may be 0.
///
/// Cells are indexed with the ghosts: with a width of `ghost` the interior is `ghost..ghost + rows` by `ghost..ghost + cols`.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    /// The cells, ghosts included.
    data: Vec<T>,
    border: Border<2>,
}

impl<T: Clone> Grid<T> {
    /// A grid filled with `value`, with `ghost` rows and columns of ghosts on each side of the interior.
    ///
    /// # Errors
    /// The number of cells overflows; or of a type without bytes it is more than 2^24, which no memory would limit.
    pub fn new(rows: usize, cols: usize, ghost: usize, value: T) -> Result<Self> {
        Self::with_ghosts(rows, cols, [ghost; 2], value)
    }

    /// A grid filled with `value`, with `ghosts[0]` rows of ghosts above and below the interior, and `ghosts[1]` columns to
    /// the left and to the right of it.
    ///
    /// # Errors
    /// As [`new`](Grid::new).
    pub fn with_ghosts(rows: usize, cols: usize, ghosts: [usize; 2], value: T) -> Result<Self> {
        let (border, cells) = Border::new::<T>([rows, cols], ghosts)?;
        Ok(Grid { data: vec![value; cells], border })
    }
}

impl<T> Grid<T> {
    /// A grid of cells that exist, row after row with the ghosts, whose widths are those of
    /// [`with_ghosts`](Grid::with_ghosts). Cells that somebody else owns: [`GridMut`].
    ///
    /// # Errors
    /// There are not `(rows + 2 * ghosts[0]) * (cols + 2 * ghosts[1])` cells. They come back in the error.
    ///
    /// ```
    /// # use mpi::buffer::Grid;
    /// let grid = Grid::from_vec((0..20).collect(), 2, 3, [1, 1])?; // 4 x 5 cells
    /// assert_eq!(grid[(1, 1)], 6); // the first of the interior
    /// assert_eq!(grid.into_vec().len(), 20);
    /// assert!(Grid::from_vec(vec![0; 19], 2, 3, [1, 1]).is_err());
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn from_vec(
        cells: Vec<T>,
        rows: usize,
        cols: usize,
        ghosts: [usize; 2],
    ) -> Result<Self, Returned<Vec<T>>> {
        match Border::within(&"Grid::from_vec", cells.len(), [rows, cols], ghosts) {
            Ok(border) => Ok(Grid { data: cells, border }),
            Err(error) => Err(Returned { error, data: cells }),
        }
    }
    /// Rows and columns, ghosts included.
    pub fn dims(&self) -> (usize, usize) {
        self.border.dims.into()
    }
    /// Rows and columns of the interior.
    pub fn core_dims(&self) -> (usize, usize) {
        self.border.core().into()
    }
    /// The widths of the border: how many rows above and below the interior, how many columns to the left and to the right.
    pub fn ghosts(&self) -> [usize; 2] {
        self.border.ghost
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
        let [rows, cols] = self.border.dims;
        assert!(r < rows, "row {r} of a grid of {rows} rows");
        &self.data[r * cols..(r + 1) * cols]
    }
    /// One row, ghosts included, to be written.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_mut(&mut self, r: usize) -> &mut [T] {
        let [rows, cols] = self.border.dims;
        assert!(r < rows, "row {r} of a grid of {rows} rows");
        &mut self.data[r * cols..(r + 1) * cols]
    }

    /// Splits the grid into interior and borders, which can be lent independently.
    pub fn split(&mut self) -> Halo<'_, T> {
        self.lent().split()
    }

    /// Splits the grid into nine parts, which are all of it: `parts[i][j]` is before the interior (0), at it (1) or after it
    /// (2) along each axis. So `parts[1][1]` is the interior, and what a stencil of nine points needs beside the four sides
    /// are the corners, such as `parts[0][0]`.
    ///
    /// What goes out are blocks of the interior. Those of two neighbours may share cells, as the ones of a side and a corner
    /// do: they are only read.
    ///
    /// ```no_run
    /// use mpi::buffer::Grid;
    /// # let world = mpi::init()?;
    /// let dims = mpi::topology::dims_create(world.size(), [0, 0])?;
    /// let ranks = world.cartesian(&dims, &[true, true], true)?.expect("every rank has a place");
    /// let [i, j] = [0, 1].map(|axis| ranks.my_coords()[axis] as isize);
    /// let (rows, cols) = (40, 30);
    /// let mut field = Grid::with_ghosts(rows, cols, [2, 1], 0.0f64)?;
    /// let [[north_west, _north, _], [_west, core, _east], [_, _south, south_east]] = field.split_all();
    /// let core = core.shared();
    /// let (before, after) = (ranks.rank_at(&[i - 1, j - 1])?, ranks.rank_at(&[i + 1, j + 1])?);
    /// ranks.scope(|s| {
    ///     let ghosts = [s.irecv(north_west, before, 0)?, s.irecv(south_east, after, 1)?]; // of eight
    ///     s.isend(core.block(rows - 2..rows, cols - 1..cols), after, 0)?.defer();
    ///     s.isend(core.block(0..2, 0..1), before, 1)?.defer();
    ///     let [north_west, south_east] = mpi::wait_all(ghosts)?.map(|got| got.data);
    ///     println!("{} {}", north_west[(1, 0)], south_east[(0, 0)]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn split_all(&mut self) -> [[StridedMut<'_, T>; 3]; 3] {
        self.lent().split_all()
    }

    fn lent(&mut self) -> GridMut<'_, T> {
        // SAFETY: each constructor makes the border for the cells it has, and no method changes how many there are.
        unsafe { GridMut::of_counted(&mut self.data, self.border) }
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
