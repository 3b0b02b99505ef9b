//! A three-dimensional array with a halo: [`Grid`](super::Grid) with one axis more.

use super::border::Border;
use super::{Grid3Mut, Halo3, Strided3Mut};
use crate::error::{Result, Returned};
use std::ops::{Index, IndexMut};

/// An array of planes of rows of cells, in row-major order, whose interior has a border of ghost cells: along each axis one of
/// a width of its own, which may be 0.
///
/// Cells are indexed with the ghosts: along axis `i` the interior is `ghost[i]..ghost[i] + core_dims[i]`.
///
/// ```no_run
/// use mpi::buffer::{Grid3, Halo3};
/// # let world = mpi::init()?;
/// let dims = mpi::topology::dims_create(world.size(), [0, 0, 0])?;
/// let ranks = world.cartesian(&dims, &[true, false, false], true)?.expect("every rank has a place");
/// let [planes, rows, cols] = [40, 30, 20];
/// let mut field = Grid3::new([planes, rows, cols], [1, 2, 2], 0.0f64)?;
/// let Halo3 { front, back, core, .. } = field.split();
/// let core = core.shared();
/// let (before, after) = ranks.shift(0, 1)?;
/// ranks.scope(|s| {
///     let ghosts = [s.irecv(front, before, 0)?, s.irecv(back, after, 1)?];
///     s.isend(core.block([planes - 1..planes, 0..rows, 0..cols]), after, 0)?.defer();
///     s.isend(core.block([0..1, 0..rows, 0..cols]), before, 1)?.defer();
///     let [front, back] = mpi::wait_all(ghosts)?.map(|got| got.data);
///     println!("{} {}", front[(0, 0, 0)], back[(0, 0, 0)]);
///     Ok(())
/// })?;
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid3<T> {
    /// The cells, ghosts included.
    data: Vec<T>,
    border: Border<3>,
}

impl<T: Clone> Grid3<T> {
    /// A grid filled with `value`: how many planes, rows and columns the interior has, and how many ghosts there are on
    /// either side along each axis.
    ///
    /// # Errors
    /// The number of cells overflows; or of a type without bytes it is more than 2^24, which no memory would limit.
    pub fn new(core_dims: [usize; 3], ghost: [usize; 3], value: T) -> Result<Self> {
        let (border, cells) = Border::new::<T>(core_dims, ghost)?;
        Ok(Grid3 { data: vec![value; cells], border })
    }
}

impl<T> Grid3<T> {
    /// A grid of cells that exist, plane after plane and row after row with the ghosts, of which there are as many as
    /// [`new`](Grid3::new) would make. Cells that somebody else owns: [`Grid3Mut`].
    ///
    /// # Errors
    /// There are more or fewer cells than the axes with their ghosts make. They come back in the error.
    ///
    /// ```
    /// # use mpi::buffer::Grid3;
    /// let grid = Grid3::from_vec((0..60).collect(), [1, 2, 3], [1, 1, 1])?; // 3 x 4 x 5 cells
    /// assert_eq!(grid[(1, 1, 1)], 26); // the first of the interior
    /// assert!(Grid3::from_vec(vec![0; 61], [1, 2, 3], [1, 1, 1]).is_err());
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn from_vec(
        cells: Vec<T>,
        core_dims: [usize; 3],
        ghost: [usize; 3],
    ) -> Result<Self, Returned<Vec<T>>> {
        match Border::within(&"Grid3::from_vec", cells.len(), core_dims, ghost) {
            Ok(border) => Ok(Grid3 { data: cells, border }),
            Err(error) => Err(Returned { error, data: cells }),
        }
    }
    /// Planes, rows and columns, ghosts included.
    pub fn dims(&self) -> [usize; 3] {
        self.border.dims
    }
    /// Planes, rows and columns of the interior.
    pub fn core_dims(&self) -> [usize; 3] {
        self.border.core()
    }
    /// The width of the border along each axis.
    pub fn ghosts(&self) -> [usize; 3] {
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
    /// One row of a plane, ghosts included.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, p: usize, r: usize) -> &[T] {
        let start = self.start(p, r);
        &self.data[start..start + self.border.dims[2]]
    }
    /// One row of a plane, ghosts included, to be written.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_mut(&mut self, p: usize, r: usize) -> &mut [T] {
        let start = self.start(p, r);
        &mut self.data[start..start + self.border.dims[2]]
    }

    /// Where a row begins.
    #[track_caller]
    fn start(&self, p: usize, r: usize) -> usize {
        let [planes, rows, cols] = self.border.dims;
        assert!(p < planes && r < rows, "row ({p}, {r}) of a grid of {planes} x {rows} rows");
        p * (rows * cols) + r * cols
    }

    /// Splits the grid into interior and borders, which can be lent independently.
    pub fn split(&mut self) -> Halo3<'_, T> {
        self.lent().split()
    }

    /// Splits the grid into 27 parts, which are all of it: `parts[i][j][k]` is before the interior (0), at it (1) or after it
    /// (2) along each axis. So `parts[1][1][1]` is the interior, and what a stencil with diagonals needs beside the faces are
    /// the edges, such as `parts[0][0][1]`, and the corners, such as `parts[0][0][0]`.
    pub fn split_all(&mut self) -> [[[Strided3Mut<'_, T>; 3]; 3]; 3] {
        self.lent().split_all()
    }

    fn lent(&mut self) -> Grid3Mut<'_, T> {
        // SAFETY: each constructor makes the border for the cells it has, and no method changes how many there are.
        unsafe { Grid3Mut::of_counted(&mut self.data, self.border) }
    }
}

impl<T> Index<(usize, usize, usize)> for Grid3<T> {
    type Output = T;
    #[track_caller]
    fn index(&self, (p, r, c): (usize, usize, usize)) -> &T {
        &self.row(p, r)[c]
    }
}
impl<T> IndexMut<(usize, usize, usize)> for Grid3<T> {
    #[track_caller]
    fn index_mut(&mut self, (p, r, c): (usize, usize, usize)) -> &mut T {
        &mut self.row_mut(p, r)[c]
    }
}
