//! A stencil whose halo exchange is a plan, against a model that knows no ranks.

use mpi::persistent::{ArrayId, Block, Plan};
use mpi::topology::{Cartesian, dims_create};
use mpi::{Communicator, Result};

/// The whole plane, and how it is dealt out.
#[derive(Clone, Copy, Debug)]
struct Plane {
    rows: usize,
    cols: usize,
    periodic: [bool; 2],
    steps: usize,
}

/// What stands beyond an edge that is not periodic.
const EDGE: u64 = 1;

/// Not symmetric, so that an exchange of two neighbours shows.
fn mix(own: u64, [north, south, west, east]: [u64; 4]) -> u64 {
    let sum = north.wrapping_mul(3).wrapping_add(south.wrapping_mul(5)).wrapping_add(west.wrapping_mul(7));
    own.wrapping_add(sum).wrapping_add(east.wrapping_mul(11))
}

fn initial(r: usize, c: usize) -> u64 {
    (r * 1000 + c) as u64
}

/// The place `distance` further, or `None` beyond an edge.
fn beside(n: usize, at: usize, distance: isize, periodic: bool) -> Option<usize> {
    let (n, place) = (n as isize, at as isize + distance);
    if periodic {
        Some(place.rem_euclid(n) as usize)
    } else {
        usize::try_from(place).ok().filter(|&p| p < n as usize)
    }
}

fn model(Plane { rows, cols, periodic, steps }: Plane) -> Vec<u64> {
    let mut cells: Vec<u64> = (0..rows * cols).map(|i| initial(i / cols, i % cols)).collect();
    for _ in 0..steps {
        let at = |r: Option<usize>, c: Option<usize>| r.zip(c).map_or(EDGE, |(r, c)| cells[r * cols + c]);
        let next = |i: usize| {
            let (r, c) = (i / cols, i % cols);
            let row = |d| at(beside(rows, r, d, periodic[0]), Some(c));
            let col = |d| at(Some(r), beside(cols, c, d, periodic[1]));
            mix(cells[i], [row(-1), row(1), col(-1), col(1)])
        };
        cells = (0..rows * cols).map(next).collect();
    }
    cells
}

/// One field with a border of ghosts, and its exchange.
fn exchange<'c>(
    comm: &'c Cartesian,
    field: Vec<u64>,
    rows: usize,
    cols: usize,
) -> Result<(Plan<'c>, ArrayId<u64>)> {
    let (up, down) = comm.shift(0, 1)?;
    let (left, right) = comm.shift(1, 1)?;
    let mut plan = Plan::new(comm);
    let id = plan.grid(field, rows + 2, cols + 2)?;
    plan.recv(id, (0, 1..cols + 1), up, 0)?.recv(id, (rows + 1, 1..cols + 1), down, 1)?;
    plan.recv(id, (1..rows + 1, 0), left, 2)?.recv(id, (1..rows + 1, cols + 1), right, 3)?;
    plan.send(id, (rows, 1..cols + 1), down, 0)?.send(id, (1, 1..cols + 1), up, 1)?;
    plan.send(id, (1..rows + 1, cols), right, 2)?.send(id, (1..rows + 1, 1), left, 3)?;
    Ok((plan, id))
}

/// Runs the plane on the ranks of `comm`, and compares every cell of this rank's part with the model.
fn check(comm: &Cartesian, plane: Plane) -> Result<()> {
    let share = |n: usize, dim: usize, end: usize| n * (comm.my_coords()[dim] + end) / comm.dims()[dim];
    let (r0, r1) = (share(plane.rows, 0, 0), share(plane.rows, 0, 1));
    let (c0, c1) = (share(plane.cols, 1, 0), share(plane.cols, 1, 1));
    let (rows, cols) = (r1 - r0, c1 - c0);
    let width = cols + 2;
    let cell = |r: usize, c: usize| (r - r0 + 1) * width + c - c0 + 1;
    let mut start = vec![EDGE; (rows + 2) * width];
    for (r, c) in (r0..r1).flat_map(|r| (c0..c1).map(move |c| (r, c))) {
        start[cell(r, c)] = initial(r, c);
    }
    let (mut old, id_of_old) = exchange(comm, start.clone(), rows, cols)?;
    let (mut new, id_of_new) = exchange(comm, start, rows, cols)?;
    let (mut from, mut into) = (id_of_old, id_of_new);
    let around = |i: usize| [i - width, i + width, i - 1, i + 1];
    for _ in 0..plane.steps {
        let flight = old.start()?;
        {
            // The interior, from cells that are not received.
            let core = flight.view(from, Block::new(1..rows + 1, 1..cols + 1))?;
            let out = new.get_mut(into)?;
            let inner = cols.saturating_sub(1);
            for (r, c) in (1..rows.saturating_sub(1)).flat_map(|r| (1..inner).map(move |c| (r, c))) {
                let sides = [core[(r - 1, c)], core[(r + 1, c)], core[(r, c - 1)], core[(r, c + 1)]];
                out[(r + 1) * width + c + 1] = mix(core[(r, c)], sides);
            }
        }
        flight.wait()?;
        let (all, out) = (old.get(from)?, new.get_mut(into)?);
        for (r, c) in (1..rows + 1).flat_map(|r| (1..cols + 1).map(move |c| (r, c))) {
            if r == 1 || r == rows || c == 1 || c == cols {
                let i = r * width + c;
                out[i] = mix(all[i], around(i).map(|place| all[place]));
            }
        }
        std::mem::swap(&mut old, &mut new);
        std::mem::swap(&mut from, &mut into);
    }
    let (mine, model) = (old.take(from)?, model(plane));
    for (r, c) in (r0..r1).flat_map(|r| (c0..c1).map(move |c| (r, c))) {
        assert_eq!(mine[cell(r, c)], model[r * plane.cols + c], "cell ({r}, {c}) of {plane:?}");
    }
    Ok(())
}

fn laid_out(world: &Communicator, periodic: [bool; 2]) -> Result<Cartesian> {
    let dims = dims_create(world.size(), [0, 0])?;
    Ok(world.cartesian(&dims, &periodic, true)?.expect("every rank has a place"))
}

#[mpi::test(ranks = [1, 2, 4])]
fn a_plan_exchanges_the_halo_in_every_step(world: Communicator) -> Result<()> {
    for periodic in [[false, false], [true, false], [false, true], [true, true]] {
        let comm = laid_out(&world, periodic)?;
        check(&comm, Plane { rows: 37, cols: 53, periodic, steps: 12 })?;
        check(&comm, Plane { rows: 2, cols: 3, periodic, steps: 5 })?;
    }
    Ok(())
}

/// Past the eager limit: columns of 20,000 cells.
#[mpi::test(ranks = [1, 2])]
fn large_borders(world: Communicator) -> Result<()> {
    let comm = laid_out(&world, [true, true])?;
    check(&comm, Plane { rows: 20_000, cols: 6, periodic: [true, true], steps: 2 })
}
