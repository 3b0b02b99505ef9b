//! A three-dimensional array with a halo: [`Grid`](super::Grid) with one axis more.

use super::Strided3Mut;
use super::grid::with_ghosts;
use crate::error::Result;
use std::array::from_fn;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

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
    /// Planes, rows and columns, ghosts included.
    dims: [usize; 3],
    ghost: [usize; 3],
}

/// The parts of a [`Grid3`], pairwise disjoint: what a halo exchange receives into, and the interior. Ghosts that lie beyond
/// two or three faces are in none of them: see [`split_all`](Grid3::split_all).
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

impl<T: Clone> Grid3<T> {
    /// A grid filled with `value`: how many planes, rows and columns the interior has, and how many ghosts there are on
    /// either side along each axis.
    ///
    /// # Errors
    /// The number of cells overflows; or of a type without bytes it is more than 2^24, which no memory would limit.
    pub fn new(core_dims: [usize; 3], ghost: [usize; 3], value: T) -> Result<Self> {
        let (dims, cells) = with_ghosts::<T, 3>(core_dims, ghost)?;
        Ok(Grid3 { data: vec![value; cells], dims, ghost })
    }
}

impl<T> Grid3<T> {
    /// Planes, rows and columns, ghosts included.
    pub fn dims(&self) -> [usize; 3] {
        self.dims
    }
    /// Planes, rows and columns of the interior.
    pub fn core_dims(&self) -> [usize; 3] {
        from_fn(|axis| self.dims[axis] - 2 * self.ghost[axis])
    }
    /// The width of the border along each axis.
    pub fn ghost(&self) -> [usize; 3] {
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
    /// One row of a plane, ghosts included.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, p: usize, r: usize) -> &[T] {
        let start = self.start(p, r);
        &self.data[start..start + self.dims[2]]
    }
    /// One row of a plane, ghosts included, to be written.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_mut(&mut self, p: usize, r: usize) -> &mut [T] {
        let start = self.start(p, r);
        &mut self.data[start..start + self.dims[2]]
    }

    /// Where a row begins.
    #[track_caller]
    fn start(&self, p: usize, r: usize) -> usize {
        let [planes, rows, cols] = self.dims;
        assert!(p < planes && r < rows, "row ({p}, {r}) of a grid of {planes} x {rows} rows");
        p * (rows * cols) + r * cols
    }

    /// Splits the grid into interior and borders, which can be lent independently.
    pub fn split(&mut self) -> Halo3<'_, T> {
        let [[_, [_, front, _], _], [[_, north, _], [west, core, east], [_, south, _]], [_, [_, back, _], _]] =
            self.split_all();
        Halo3 { front, back, north, south, west, east, core }
    }

    /// Splits the grid into 27 parts, which are all of it: `parts[i][j][k]` is before the interior (0), at it (1) or after it
    /// (2) along each axis. So `parts[1][1][1]` is the interior, and what a stencil with diagonals needs beside the faces are
    /// the edges, such as `parts[0][0][1]`, and the corners, such as `parts[0][0][0]`.
    pub fn split_all(&mut self) -> [[[Strided3Mut<'_, T>; 3]; 3]; 3] {
        let strides = [self.dims[1] * self.dims[2], self.dims[2]];
        let (ghost, core) = (self.ghost, self.core_dims());
        let base = NonNull::from(self.data.as_mut_slice()).cast::<T>();
        let part = |sides: [usize; 3]| {
            let start: [usize; 3] = from_fn(|axis| [0, ghost[axis], ghost[axis] + core[axis]][sides[axis]]);
            let dims: [usize; 3] = from_fn(|axis| [ghost[axis], core[axis], ghost[axis]][sides[axis]]);
            // An empty part stays at the start: its corner may lie past the end.
            let offset =
                if dims.contains(&0) { 0 } else { start[0] * strides[0] + start[1] * strides[1] + start[2] };
            // SAFETY: a part that is not empty lies inside the grid, so its first element does.
            let base = unsafe { base.add(offset) };
            // SAFETY: the three ranges of an axis are disjoint, and two parts differ in the range of some axis, so they
            // share no element; the grid is exclusively borrowed.
            unsafe { Strided3Mut::from_parts(base, dims, strides) }
        };
        from_fn(|i| from_fn(|j| from_fn(|k| part([i, j, k]))))
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
