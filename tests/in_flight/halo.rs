//! Eight requests in flight on one grid, on a cartesian communicator, against a model that knows no ranks.

use mpi::buffer::{Grid, Halo};
use mpi::topology::{Cartesian, dims_create};
use mpi::{Communicator, Result, wait_all};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The whole plane, and how it is dealt out.
#[derive(Clone, Copy, Debug)]
struct Plane {
    rows: usize,
    cols: usize,
    ghost: usize,
    periodic: [bool; 2],
    steps: usize,
}

/// What stands beyond an edge that is not periodic.
const EDGE: u64 = 1;

/// The start of the `part`-th of `parts` nearly equal shares of `n`.
fn share(n: usize, part: usize, parts: usize) -> usize {
    n * part / parts
}

impl Plane {
    fn initial(r: usize, c: usize) -> u64 {
        (r * 1000 + c) as u64
    }

    /// A cell `distance` steps further, or `None` beyond an edge.
    fn neighbour(n: usize, at: usize, distance: isize, periodic: bool) -> Option<usize> {
        let (n, place) = (n as isize, at as isize + distance);
        if periodic {
            Some(place.rem_euclid(n) as usize)
        } else {
            (0..n).contains(&place).then_some(place as usize)
        }
    }

    /// The model: each cell becomes a mixture of itself and the four cells `ghost` steps away.
    fn model(self) -> Vec<u64> {
        let Plane { rows, cols, ghost, periodic, steps } = self;
        let mut cells: Vec<u64> = (0..rows * cols).map(|i| Self::initial(i / cols, i % cols)).collect();
        for _ in 0..steps {
            let at = |r: Option<usize>, c: Option<usize>| r.zip(c).map_or(EDGE, |(r, c)| cells[r * cols + c]);
            let next = |i: usize| {
                let (r, c, g) = (i / cols, i % cols, ghost as isize);
                let row = |d| at(Self::neighbour(rows, r, d, periodic[0]), Some(c));
                let col = |d| at(Some(r), Self::neighbour(cols, c, d, periodic[1]));
                mix(cells[i], [row(-g), row(g), col(-g), col(g)])
            };
            cells = (0..rows * cols).map(next).collect();
        }
        cells
    }
}

/// Not symmetric, so that an exchange of two neighbours shows.
fn mix(own: u64, [north, south, west, east]: [u64; 4]) -> u64 {
    let sum = north.wrapping_mul(3).wrapping_add(south.wrapping_mul(5)).wrapping_add(west.wrapping_mul(7));
    own.wrapping_add(sum).wrapping_add(east.wrapping_mul(11))
}

/// Receives the four borders and sends the four edges, all in flight at once.
fn exchange(comm: &Cartesian, grid: &mut Grid<u64>) -> Result<()> {
    let [ghost, _] = grid.ghosts();
    let (rows, cols) = grid.core_dims();
    let Halo { north, south, west, east, core, .. } = grid.split();
    let core = core.shared();
    let (up, down) = comm.shift(0, 1)?;
    let (left, right) = comm.shift(1, 1)?;
    comm.scope(|s| {
        let receives = [
            s.irecv(north, up, 0)?,
            s.irecv(south, down, 1)?,
            s.irecv(west, left, 2)?,
            s.irecv(east, right, 3)?,
        ];
        let sends = [
            s.isend(core.block(rows - ghost..rows, 0..cols), down, 0)?,
            s.isend(core.block(0..ghost, 0..cols), up, 1)?,
            s.isend(core.block(0..rows, cols - ghost..cols), right, 2)?,
            s.isend(core.block(0..rows, 0..ghost), left, 3)?,
        ];
        let first = core.iter().next().copied(); // the interior can be read meanwhile
        let [north, south, west, east] = wait_all(receives)?.map(|got| got.data);
        assert_eq!((north.cols(), south.cols(), west.rows(), east.rows()), (cols, cols, rows, rows));
        wait_all(sends)?;
        assert_eq!(first, core.iter().next().copied());
        Ok(())
    })
}

/// Runs the plane on the ranks of `comm`, and compares every cell of this rank's part with the model.
fn check(comm: &Cartesian, plane: Plane) -> Result<()> {
    let Plane { rows, cols, ghost, steps, .. } = plane;
    let [r0, r1] = [0, 1].map(|end| share(rows, comm.my_coords()[0] + end, comm.dims()[0]));
    let [c0, c1] = [0, 1].map(|end| share(cols, comm.my_coords()[1] + end, comm.dims()[1]));
    let mut grid = Grid::new(r1 - r0, c1 - c0, ghost, EDGE)?;
    for (r, c) in (r0..r1).flat_map(|r| (c0..c1).map(move |c| (r, c))) {
        grid[(r - r0 + ghost, c - c0 + ghost)] = Plane::initial(r, c);
    }
    for _ in 0..steps {
        exchange(comm, &mut grid)?;
        let before = grid.clone();
        for (r, c) in (ghost..ghost + r1 - r0).flat_map(|r| (ghost..ghost + c1 - c0).map(move |c| (r, c))) {
            let around = [(r - ghost, c), (r + ghost, c), (r, c - ghost), (r, c + ghost)];
            grid[(r, c)] = mix(before[(r, c)], around.map(|place| before[place]));
        }
    }
    let model = plane.model();
    for (r, c) in (r0..r1).flat_map(|r| (c0..c1).map(move |c| (r, c))) {
        assert_eq!(
            grid[(r - r0 + ghost, c - c0 + ghost)],
            model[r * cols + c],
            "cell ({r}, {c}) of {plane:?}"
        );
    }
    Ok(())
}

fn laid_out(world: &Communicator, periodic: [bool; 2]) -> Result<Cartesian> {
    let dims = dims_create(world.size(), [0, 0])?;
    Ok(world.cartesian(&dims, &periodic, true)?.expect("every rank has a place"))
}

#[mpi::test(ranks = [1, 2, 4, 6])]
fn eight_requests_on_one_grid(world: Communicator) -> Result<()> {
    for periodic in [[false, false], [true, false], [false, true], [true, true]] {
        let comm = laid_out(&world, periodic)?;
        check(&comm, Plane { rows: 37, cols: 53, ghost: 1, periodic, steps: 10 })?;
        check(&comm, Plane { rows: 24, cols: 19, ghost: 2, periodic, steps: 5 })?;
    }
    Ok(())
}

/// Past the eager limit: columns of 20,000 cells.
#[mpi::test(ranks = [1, 2])]
fn large_borders(world: Communicator) -> Result<()> {
    let comm = laid_out(&world, [true, true])?;
    check(&comm, Plane { rows: 20_000, cols: 6, ghost: 3, periodic: [true, true], steps: 1 })
}

/// Uneven and tiny shapes; every rank draws the same ones. A rank's part is at least as wide as the border.
#[mpi::test(ranks = [2, 4])]
fn any_shape(world: Communicator) -> Result<()> {
    let dims = dims_create(world.size(), [0, 0])?;
    let side = |parts: usize, ghost: usize| parts * ghost..=parts * ghost + 9;
    let planes =
        (1usize..=2, any::<[bool; 2]>(), 1usize..=3).prop_flat_map(move |(ghost, periodic, steps)| {
            (side(dims[0], ghost), side(dims[1], ghost)).prop_map(move |(rows, cols)| Plane {
                rows,
                cols,
                ghost,
                periodic,
                steps,
            })
        });
    // No shrinking: the ranks would no longer draw the same shapes.
    let config = Config { cases: 60, max_shrink_iters: 0, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let outcome = runner.run(&planes, |plane| {
        laid_out(&world, plane.periodic)
            .and_then(|comm| check(&comm, plane))
            .map_err(|error| TestCaseError::fail(error.to_string()))
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    Ok(())
}
