//! One step of Jacobi's method on the cells of one process.
//!
//! Every cell is computed by one expression, [`relax`], with one order of evaluation, from values that do not
//! depend on which process holds them: the result is bit-identical on any number of processes.

use mpi::buffer::{Strided, StridedMut};

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
    /// The largest change so far in each column. One maximum for each column, and not one for all, leaves the
    /// loop over a row without a dependence between its cells, so that the compiler vectorizes it.
    largest: Vec<f64>,
}

impl Sweep {
    /// A sweep over `rows × cols` cells with the given rates, row by row (see [`crate::plate::Plate::rates`]).
    pub fn new([rows, cols]: [usize; 2], rates: Vec<f64>) -> Self {
        assert_eq!(Some(rates.len()), rows.checked_mul(cols), "one rate for each cell");
        Sweep { rows, cols, rates, largest: vec![0.0; cols] }
    }

    /// Updates the cells whose four neighbours belong to the tile: all that can be done before any ghost is there.
    pub fn interior(&mut self, old: Strided<'_, f64>, new: &mut StridedMut<'_, f64>) {
        for row in 1..self.rows.saturating_sub(1) {
            self.middle(row, old.row(row - 1), old.row(row), old.row(row + 1), new.row_mut(row));
        }
    }

    /// Updates the cells on the rim of the tile.
    pub fn rim(&mut self, old: Strided<'_, f64>, ghosts: Ghosts<'_>, new: &mut StridedMut<'_, f64>) {
        let (last_row, last_col) = (self.rows - 1, self.cols - 1);
        let (mut north, mut here) = (ghosts.north, old.row(0));
        for row in 0..self.rows {
            let south = if row == last_row { ghosts.south } else { old.row(row + 1) };
            let new = new.row_mut(row);
            if row == 0 || row == last_row {
                self.middle(row, north, here, south, new);
            }
            // The same cell twice, if there is only one column: that does no harm.
            for col in [0, last_col] {
                let west = if col == 0 { ghosts.west[(row, 0)] } else { here[col - 1] };
                let east = if col == last_col { ghosts.east[(row, 0)] } else { here[col + 1] };
                let rate = self.rates[row * self.cols + col];
                let (value, change) = relax(here[col], [north[col], south[col], west, east], rate);
                new[col] = value;
                self.largest[col] = larger(self.largest[col], change);
            }
            (north, here) = (here, south);
        }
    }

    /// The largest change of a cell since this was asked last, or since the beginning.
    pub fn take_largest_change(&mut self) -> f64 {
        let largest = self.largest.iter().copied().fold(0.0, larger);
        self.largest.fill(0.0);
        largest
    }

    /// Updates one row but for its first and last cell.
    fn middle(&mut self, row: usize, north: &[f64], here: &[f64], south: &[f64], new: &mut [f64]) {
        let last = self.cols - 1;
        if last < 2 {
            return;
        }
        let rates = &self.rates[row * self.cols..][1..last];
        let largest = &mut self.largest[1..last];
        relax_row(&north[1..last], here, &south[1..last], rates, &mut new[1..last], largest);
    }
}

/// Updates a run of `n` cells that lie side by side; `here` is `n + 2` long, with the neighbours at both ends.
fn relax_row(
    north: &[f64],
    here: &[f64],
    south: &[f64],
    rates: &[f64],
    new: &mut [f64],
    largest: &mut [f64],
) {
    let n = new.len();
    // Equal lengths, told once, spare the loop its bounds checks.
    let (west, here, east) = (&here[..n], &here[1..n + 1], &here[2..n + 2]);
    let (north, south, rates, largest) = (&north[..n], &south[..n], &rates[..n], &mut largest[..n]);
    for i in 0..n {
        let (value, change) = relax(here[i], [north[i], south[i], west[i], east[i]], rates[i]);
        new[i] = value;
        largest[i] = larger(largest[i], change);
    }
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
