//! Requests in flight on all parts of one three-dimensional grid, on a cartesian communicator: every cell against a space that
//! knows no ranks.

use mpi::buffer::{Grid3, Halo3, Strided3};
use mpi::topology::{Cartesian, dims_create};
use mpi::{Communicator, Result, wait_all};
use std::array::from_fn;
use std::ops::Range;

/// What stands in ghosts that nobody sends.
const EDGE: u64 = u64::MAX;

/// The whole space, and the border of the ranks' parts of it.
#[derive(Clone, Copy, Debug)]
struct Space {
    dims: [usize; 3],
    ghost: [usize; 3],
    periodic: [bool; 3],
}

/// The cells of the space that a rank has.
type Part = [Range<usize>; 3];

fn indices(dims: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..dims.iter().product()).map(move |i| [i / dims[2] / dims[1], i / dims[2] % dims[1], i % dims[2]])
}

impl Space {
    fn part(self, comm: &Cartesian) -> Part {
        from_fn(|axis| {
            let (at, parts, n) = (comm.my_coords()[axis], comm.dims()[axis], self.dims[axis]);
            n * at / parts..n * (at + 1) / parts
        })
    }

    /// What cell `at` of a rank's grid, ghosts included, stands for; `None` beyond an edge.
    fn value(self, part: &Part, at: [usize; 3]) -> Option<u64> {
        let place = |axis: usize| {
            let n = self.dims[axis] as isize;
            let place = (part[axis].start + at[axis]) as isize - self.ghost[axis] as isize;
            if self.periodic[axis] {
                Some(place.rem_euclid(n))
            } else {
                (0..n).contains(&place).then_some(place)
            }
        };
        let [p, r, c] = [place(0)?, place(1)?, place(2)?];
        Some((p * 1_000_000 + r * 1000 + c) as u64)
    }

    /// A grid whose interior is filled.
    fn grid(self, part: &Part) -> Result<Grid3<u64>> {
        let mut grid = Grid3::new(from_fn(|axis| part[axis].len()), self.ghost, EDGE)?;
        for at in indices(grid.core_dims()) {
            let [p, r, c] = from_fn(|axis| at[axis] + self.ghost[axis]);
            grid[(p, r, c)] = self.value(part, [p, r, c]).expect("of this rank");
        }
        Ok(grid)
    }

    /// Compares all cells, of which those that lie beyond more than `faces` faces of the interior were not exchanged.
    fn check(self, part: &Part, grid: &Grid3<u64>, faces: usize) {
        for [p, r, c] in indices(grid.dims()) {
            let at = [p, r, c];
            let is_ghost =
                |axis: usize| !(self.ghost[axis]..self.ghost[axis] + part[axis].len()).contains(&at[axis]);
            let exchanged = (0..3).filter(|&axis| is_ghost(axis)).count() <= faces;
            let wanted = self.value(part, at).filter(|_| exchanged).unwrap_or(EDGE);
            assert_eq!(grid[(p, r, c)], wanted, "cell {at:?} of {part:?} of {self:?}");
        }
    }
}

fn laid_out(world: &Communicator, periodic: [bool; 3]) -> Result<Cartesian> {
    let dims = dims_create(world.size(), [0, 0, 0])?;
    Ok(world.cartesian(&dims, &periodic, true)?.expect("every rank has a place"))
}

/// What a neighbour on a side (0 before, 1 beside, 2 after) along each axis gets of the interior.
fn border(core: Strided3<'_, u64>, ghost: [usize; 3], side: [usize; 3]) -> Strided3<'_, u64> {
    let n = core.dims();
    core.block(from_fn(|axis| match side[axis] {
        0 => 0..ghost[axis],
        1 => 0..n[axis],
        _ => n[axis] - ghost[axis]..n[axis],
    }))
}

/// Six receives and six sends in flight at once, while the interior is read.
fn exchange_faces(comm: &Cartesian, grid: &mut Grid3<u64>) -> Result<()> {
    let ghost = grid.ghosts();
    let Halo3 { front, back, north, south, west, east, core, .. } = grid.split();
    let core = core.shared();
    let neighbours = [comm.shift(0, 1)?, comm.shift(1, 1)?, comm.shift(2, 1)?];
    let sum = |core: Strided3<'_, u64>| core.iter().fold(0u64, |sum, &cell| sum.wrapping_add(cell));
    let before = sum(core);
    comm.scope(|s| {
        let mut receives = Vec::new();
        for (axis, (low, high)) in [(front, back), (north, south), (west, east)].into_iter().enumerate() {
            let (down, up) = neighbours[axis];
            receives.push(s.irecv(low, down, 2 * axis as i32)?);
            receives.push(s.irecv(high, up, 2 * axis as i32 + 1)?);
        }
        let mut sends = Vec::new();
        for (axis, (down, up)) in neighbours.into_iter().enumerate() {
            let side = |side| from_fn(|of| if of == axis { side } else { 1 });
            sends.push(s.isend(border(core, ghost, side(2)), up, 2 * axis as i32)?);
            sends.push(s.isend(border(core, ghost, side(0)), down, 2 * axis as i32 + 1)?);
        }
        assert_eq!(sum(core), before);
        for (i, got) in wait_all(receives)?.into_iter().enumerate() {
            assert_eq!(got.data.dims()[i / 2], ghost[i / 2]);
        }
        wait_all(sends)?;
        Ok(())
    })
}

/// The same with the edges and corners: 26 receives and 26 sends.
fn exchange_all(comm: &Cartesian, grid: &mut Grid3<u64>) -> Result<()> {
    let ghost = grid.ghosts();
    // Who is so many steps away, if there is somebody.
    let neighbour = |side: [usize; 3]| {
        let at: [isize; 3] = from_fn(|axis| comm.my_coords()[axis] as isize + side[axis] as isize - 1);
        let inside =
            |axis: usize| comm.periods()[axis] || (0..comm.dims()[axis] as isize).contains(&at[axis]);
        (0..3).all(inside).then(|| comm.rank_at(&at)).transpose()
    };
    let tag = |[i, j, k]: [usize; 3]| (9 * i + 3 * j + k) as i32;
    let mut core = None;
    let mut ghosts = Vec::new();
    for (i, planes) in grid.split_all().into_iter().enumerate() {
        for (j, rows) in planes.into_iter().enumerate() {
            for (k, part) in rows.into_iter().enumerate() {
                match [i, j, k] {
                    [1, 1, 1] => core = Some(part.shared()),
                    side => ghosts.push((side, part)),
                }
            }
        }
    }
    let core = core.expect("one of the parts");
    comm.scope(|s| {
        let mut receives = Vec::new();
        for (side, part) in ghosts {
            // It was sent to the other side.
            receives.push(s.irecv(part, neighbour(side)?, tag(side.map(|side| 2 - side)))?);
        }
        for side in indices([3; 3]).filter(|&side| side != [1; 3]) {
            s.isend(border(core, ghost, side), neighbour(side)?, tag(side))?.defer();
        }
        wait_all(receives).map(drop)
    })
}

const PERIODIC: [[bool; 3]; 4] = [[false; 3], [true, false, false], [false, true, true], [true; 3]];

#[mpi::test(ranks = [1, 2, 3, 4, 8])]
fn faces(world: Communicator) -> Result<()> {
    for periodic in PERIODIC {
        let comm = laid_out(&world, periodic)?;
        for (dims, ghost) in
            [([9, 10, 11], [1; 3]), ([8, 16, 12], [2; 3]), ([11, 9, 10], [1, 2, 3]), ([8, 8, 9], [0, 2, 1])]
        {
            // A part is at least as wide as its border: so many cells for each rank along an axis.
            let least: [usize; 3] = from_fn(|axis| comm.dims()[axis] * ghost[axis]);
            let space = Space { dims: from_fn(|axis| dims[axis].max(least[axis])), ghost, periodic };
            let part = space.part(&comm);
            let mut grid = space.grid(&part)?;
            exchange_faces(&comm, &mut grid)?;
            space.check(&part, &grid, 1);
            let mut grid = space.grid(&part)?;
            exchange_all(&comm, &mut grid)?;
            space.check(&part, &grid, 3);
        }
    }
    Ok(())
}

/// Past the eager limit: faces of up to 60,000 cells, in all three directions.
#[mpi::test(ranks = [1, 2])]
fn large_faces(world: Communicator) -> Result<()> {
    for dims in [[6, 100, 200], [100, 6, 200], [200, 100, 6]] {
        let comm = laid_out(&world, [true; 3])?;
        let space = Space { dims, ghost: [3; 3], periodic: [true; 3] };
        let part = space.part(&comm);
        let mut grid = space.grid(&part)?;
        exchange_faces(&comm, &mut grid)?;
        space.check(&part, &grid, 1);
    }
    Ok(())
}
