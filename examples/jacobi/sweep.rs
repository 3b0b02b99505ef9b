//! One step of Jacobi's method on the cells of one process.
//!
//! Every cell is computed by one expression, [`relax`], with one order of evaluation, from values that do not
//! depend on which process holds them: the result is bit-identical on any number of processes.

use mpi::buffer::{Strided, StridedMut};
use std::mem;

/// The rows and columns that the neighbours own, one cell deep, as they arrived.
#[derive(Debug, Clone, Copy)]
pub struct Ghosts<'a> {
    /// The row above the tile.
    pub north: &'a [f64],
    /// The row below it.
    pub south: &'a [f64],
    /// The column left of it.
    pub west: Strided<'a, f64>,
    /// The column right of it.
    pub east: Strided<'a, f64>,
}

/// What a step needs besides the grids.
#[derive(Debug)]
pub struct Sweep {
    rows: usize,
    cols: usize,
    rates: Vec<f64>,
    largest_change: f64,
}

impl Sweep {
    /// A sweep over `rows × cols` cells with the given rates, row by row (see [`crate::plate::Plate::rates`]).
    pub fn new([rows, cols]: [usize; 2], rates: Vec<f64>) -> Self {
        assert_eq!(Some(rates.len()), rows.checked_mul(cols), "one rate for each cell");
        Sweep { rows, cols, rates, largest_change: 0.0 }
    }

    /// Updates the cells whose four neighbours belong to the tile: all that can be done before any ghost is there.
    pub fn interior(&mut self, old: Strided<'_, f64>, new: &mut StridedMut<'_, f64>) {
        let mut largest = self.largest_change;
        for row in 1..self.rows.saturating_sub(1) {
            let (north, here, south) = (old.row(row - 1), old.row(row), old.row(row + 1));
            largest = larger(largest, relax_middle(north, here, south, self.rates(row), new.row_mut(row)));
        }
        self.largest_change = largest;
    }

    /// Updates the cells on the rim of the tile.
    pub fn rim(&mut self, old: Strided<'_, f64>, ghosts: Ghosts<'_>, new: &mut StridedMut<'_, f64>) {
        let (last_row, last_col) = (self.rows - 1, self.cols - 1);
        let mut largest = self.largest_change;
        let (mut north, mut here) = (ghosts.north, old.row(0));
        for row in 0..self.rows {
            let south = if row == last_row { ghosts.south } else { old.row(row + 1) };
            let (rates, new) = (self.rates(row), new.row_mut(row));
            if row == 0 || row == last_row {
                largest = larger(largest, relax_middle(north, here, south, rates, new));
            }
            // The same cell twice, if there is only one column: that does no harm.
            for col in [0, last_col] {
                let west = if col == 0 { ghosts.west[(row, 0)] } else { here[col - 1] };
                let east = if col == last_col { ghosts.east[(row, 0)] } else { here[col + 1] };
                let (value, change) = relax(here[col], [north[col], south[col], west, east], rates[col]);
                new[col] = value;
                largest = larger(largest, change);
            }
            (north, here) = (here, south);
        }
        self.largest_change = largest;
    }

    /// The largest change of a cell since this was asked last, or since the beginning.
    pub fn take_largest_change(&mut self) -> f64 {
        mem::take(&mut self.largest_change)
    }

    fn rates(&self, row: usize) -> &[f64] {
        &self.rates[row * self.cols..][..self.cols]
    }
}

/// How many running maxima a row has: enough for several vector registers of any current machine.
const LANES: usize = 8;

/// Updates one row of a tile but for its first and last cell. Gives the largest change.
///
/// One maximum for all cells would chain each cell to the one before it. There is one for each of several lanes
/// instead (a maximum does not depend on the order), and the lanes are arrays of a fixed length: so the compiler
/// vectorizes the loop.
fn relax_middle(north: &[f64], here: &[f64], south: &[f64], rates: &[f64], new: &mut [f64]) -> f64 {
    let Some(n) = here.len().checked_sub(2) else {
        return 0.0;
    };
    let (north, north_rest) = north[1..n + 1].as_chunks::<LANES>();
    let (south, south_rest) = south[1..n + 1].as_chunks::<LANES>();
    let (west, west_rest) = here[..n].as_chunks::<LANES>();
    let (east, east_rest) = here[2..n + 2].as_chunks::<LANES>();
    let (here, here_rest) = here[1..n + 1].as_chunks::<LANES>();
    let (rates, rates_rest) = rates[1..n + 1].as_chunks::<LANES>();
    let (new, new_rest) = new[1..n + 1].as_chunks_mut::<LANES>();
    let mut largest = [0.0; LANES];
    for i in 0..new.len() {
        for lane in 0..LANES {
            let neighbours = [north[i][lane], south[i][lane], west[i][lane], east[i][lane]];
            let (value, change) = relax(here[i][lane], neighbours, rates[i][lane]);
            new[i][lane] = value;
            largest[lane] = larger(largest[lane], change);
        }
    }
    let mut largest = largest.into_iter().fold(0.0, larger);
    for i in 0..new_rest.len() {
        let neighbours = [north_rest[i], south_rest[i], west_rest[i], east_rest[i]];
        let (value, change) = relax(here_rest[i], neighbours, rates_rest[i]);
        new_rest[i] = value;
        largest = larger(largest, change);
    }
    largest
}

/// The new value of a cell, and by how much it changed.
#[inline(always)]
fn relax(here: f64, [north, south, west, east]: [f64; 4], rate: f64) -> (f64, f64) {
    let change = rate * (((north + south) + (west + east)) - 4.0 * here);
    (here + change, change.abs())
}

/// The larger of two numbers that are not NaN. `f64::max` would have to look for one, in the innermost loop.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
