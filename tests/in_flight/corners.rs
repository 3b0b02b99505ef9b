//! Sixteen requests in flight on one grid, corners among them, on a periodic cartesian communicator: a stencil of nine points
//! against one that knows no ranks.

use mpi::buffer::{Grid, GridMut, StridedMut};
use mpi::topology::{Cartesian, dims_create};
use mpi::{Communicator, Result, wait_all};
use std::array::from_fn;
use std::ops::Range;

/// What stands in ghosts that nobody has filled.
const UNSET: u64 = u64::MAX;

/// The whole plane, which is periodic, and how far the stencil reaches along each axis.
#[derive(Clone, Copy, Debug)]
struct Plane {
    dims: [usize; 2],
    reach: [usize; 2],
}

/// Before, at and after the middle along each axis.
fn sides() -> impl Iterator<Item = [usize; 2]> {
    (0..9).map(|i| [i / 3, i % 3])
}

/// Not symmetric, so that an exchange of any two neighbours shows.
fn mix(around: impl Fn([usize; 2]) -> u64) -> u64 {
    sides().fold(0, |sum: u64, side| sum.wrapping_mul(31).wrapping_add(around(side)))
}

fn initial(r: usize, c: usize) -> u64 {
    (r * 1000 + c) as u64
}

impl Plane {
    /// Each cell becomes a mixture of itself and the eight that are as far away as the stencil reaches.
    fn model(self, steps: usize) -> Vec<u64> {
        let [rows, cols] = self.dims;
        let mut cells: Vec<u64> = (0..rows * cols).map(|i| initial(i / cols, i % cols)).collect();
        for _ in 0..steps {
            let next = |i: usize| {
                let at = [i / cols, i % cols];
                mix(|side| {
                    // Reach is less than a whole turn.
                    let [r, c] = from_fn(|axis| {
                        let n = self.dims[axis];
                        (at[axis] + n + side[axis] * self.reach[axis] - self.reach[axis]) % n
                    });
                    cells[r * cols + c]
                })
            };
            cells = (0..rows * cols).map(next).collect();
        }
        cells
    }

    /// The cells of the plane that this rank has.
    fn part(self, comm: &Cartesian) -> [Range<usize>; 2] {
        from_fn(|axis| {
            let (at, parts, n) = (comm.my_coords()[axis], comm.dims()[axis], self.dims[axis]);
            n * at / parts..n * (at + 1) / parts
        })
    }
}

/// Receives into all eight parts around the interior, and sends what the neighbours have there.
fn exchange(comm: &Cartesian, parts: [[StridedMut<'_, u64>; 3]; 3], reach: [usize; 2]) -> Result<()> {
    let [[nw, n, ne], [w, core, e], [sw, s, se]] = parts;
    let core = core.shared();
    let dims = [core.rows(), core.cols()];
    let neighbour = |side: [usize; 2]| {
        let at: [isize; 2] = from_fn(|axis| comm.my_coords()[axis] as isize + side[axis] as isize - 1);
        comm.rank_at(&at)
    };
    let tag = |[i, j]: [usize; 2]| (3 * i + j) as i32;
    let around = || sides().filter(|&side| side != [1, 1]);
    comm.scope(|scope| {
        let mut receives = Vec::new();
        for (side, part) in around().zip([nw, n, ne, w, e, sw, s, se]) {
            // It was sent to the other side.
            receives.push(scope.irecv(part, neighbour(side)?, tag(side.map(|side| 2 - side)))?);
        }
        let mut sends = Vec::new();
        for side in around() {
            let [rows, cols] = from_fn(|axis| {
                let (n, width) = (dims[axis], reach[axis]);
                [0..width, 0..n, n - width..n][side[axis]].clone()
            });
            sends.push(scope.isend(core.block(rows, cols), neighbour(side)?, tag(side))?);
        }
        for (side, got) in around().zip(wait_all(receives)?) {
            let of = |axis: usize| [reach[axis], dims[axis], reach[axis]][side[axis]];
            assert_eq!((got.data.rows(), got.data.cols()), (of(0), of(1)));
        }
        wait_all(sends).map(drop)
    })
}

/// Steps on the ranks of `comm`, whose grid owns its cells or borrows them, and compares each of this rank's.
fn check(comm: &Cartesian, plane: Plane, steps: usize) -> Result<()> {
    let (part, reach) = (plane.part(comm), plane.reach);
    let (rows, cols) = (part[0].len(), part[1].len());
    let inside = || (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
    let mut grid = Grid::with_ghosts(rows, cols, reach, UNSET)?;
    for (r, c) in inside() {
        grid[(r + reach[0], c + reach[1])] = initial(part[0].start + r, part[1].start + c);
    }
    for step in 0..steps {
        if step % 2 == 0 {
            exchange(comm, grid.split_all(), reach)?;
        } else {
            let mut cells = grid.into_vec();
            exchange(comm, GridMut::new(&mut cells, rows, cols, reach)?.split_all(), reach)?;
            grid = Grid::from_vec(cells, rows, cols, reach)?;
        }
        let before = grid.clone();
        for (r, c) in inside() {
            let around = |[i, j]: [usize; 2]| before[(r + i * reach[0], c + j * reach[1])];
            grid[(r + reach[0], c + reach[1])] = mix(around);
        }
    }
    let model = plane.model(steps);
    for (r, c) in inside() {
        let (wanted, got) = (
            model[(part[0].start + r) * plane.dims[1] + part[1].start + c],
            grid[(r + reach[0], c + reach[1])],
        );
        assert_eq!(got, wanted, "cell ({r}, {c}) of {part:?} of {plane:?}");
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 4])]
fn nine_points(world: Communicator) -> Result<()> {
    let dims = dims_create(world.size(), [0, 0])?;
    let comm = world.cartesian(&dims, &[true, true], true)?.expect("every rank has a place");
    for (dims, reach) in
        [([17, 23], [1, 1]), ([14, 9], [2, 1]), ([9, 14], [1, 3]), ([8, 8], [4, 4]), ([11, 10], [0, 2])]
    {
        check(&comm, Plane { dims, reach }, 4)?;
    }
    // Past the eager limit.
    check(&comm, Plane { dims: [12, 4000], reach: [3, 2] }, 2)
}
