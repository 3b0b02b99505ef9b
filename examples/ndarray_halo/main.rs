//! A plate whose edges are kept warm, on a grid of ranks: halos are views of an `ndarray`, sent without copies.
//! `cargo xmpi run -n 4 --features ndarray --example ndarray_halo -- CELLS STEPS`

use mpi::op::Min;
use mpi::topology::{Cartesian, dims_create};
use mpi::{Communicator, Result};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let (cells, steps) = (numbers.next().unwrap_or(64usize), numbers.next().unwrap_or(100usize));
    let grid = grid(&world)?;
    let plate = warmed(&grid, cells, steps)?;
    // Without the ring, where the neighbours' cells are as they were a step ago.
    let mine = plate.slice(s![1..=cells, 1..=cells]);
    let coldest = grid.allreduce(&mine.fold(f64::INFINITY, |cold, &cell| cold.min(cell)), Min)?;
    if grid.rank() == 0 {
        println!("after {steps} steps the coldest cell has {coldest:.6}");
    }
    Ok(())
}

/// All ranks in two dimensions.
pub fn grid(world: &Communicator) -> Result<Cartesian> {
    let dims = dims_create(world.size(), [0, 0])?;
    Ok(world.cartesian(&dims, &[false, false], true)?.expect("every rank has a place"))
}

/// This rank's part of the plate after so many steps, and a ring of cells around it: those of the neighbours, or the warm
/// edge of the plate.
pub fn warmed(grid: &Cartesian, cells: usize, steps: usize) -> Result<Array2<f64>> {
    let mut plate = Array2::from_elem((cells + 2, cells + 2), 1.0f64);
    plate.slice_mut(s![1..=cells, 1..=cells]).fill(0.0);
    for _ in 0..steps {
        exchange(grid, plate.view_mut())?;
        let next = smoothed(plate.view());
        plate.slice_mut(s![1..=cells, 1..=cells]).assign(&next);
    }
    Ok(plate)
}

/// Fills the ring with what the neighbours have at their edges: rows are contiguous, columns are not, the code is the same.
fn exchange(grid: &Cartesian, mut plate: ArrayViewMut2<'_, f64>) -> Result<()> {
    for axis in 0..2 {
        for direction in [1, -1] {
            let (source, dest) = grid.shift(axis, direction)?;
            // The ring at one end, and the cells that go to the neighbour at the other.
            let len = plate.len_of(Axis(axis));
            let (low, high) = plate.view_mut().split_at(Axis(axis), if direction == 1 { 1 } else { len - 1 });
            let (mut ring, cells, edge) = if direction == 1 { (low, high, len - 3) } else { (high, low, 1) };
            let edge = cells.index_axis(Axis(axis), edge);
            grid.sendrecv(&edge, dest, 0, &mut ring.index_axis_mut(Axis(axis), 0), source, 0)?;
        }
    }
    Ok(())
}

/// The mean of the four neighbours of every cell inside.
fn smoothed(plate: ArrayView2<'_, f64>) -> Array2<f64> {
    let n = plate.nrows() - 2;
    let shifted = |r: usize, c: usize| plate.slice(s![r..r + n, c..c + n]);
    (&shifted(0, 1) + &shifted(2, 1) + shifted(1, 0) + shifted(1, 2)) / 4.0
}
