//! The plate: which cells are held at which temperature, and which are free.

use crate::image::Grey;
use anyhow::{Result, ensure};

/// How much of the mean difference to its four neighbours a free cell takes over in one step. A quarter of
/// the *sum* of the differences puts it at their mean: that is Jacobi's method.
pub const FREE: f64 = 0.25;
/// A held cell takes over nothing.
pub const HELD: f64 = 0.0;

/// A rectangular plate of `rows × cols` cells whose outermost ring, the frame, is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Plate {
    rows: usize,
    cols: usize,
    temperatures: Vec<f64>,
    rates: Vec<f64>,
}

impl Plate {
    /// A plate from one description for each cell, called with row and column: `Some(t)` is held at the
    /// temperature `t`, `None` is free and starts at 0. On the frame, `None` is held at 0.
    ///
    /// `rows * cols` must not overflow.
    pub fn new(rows: usize, cols: usize, cell: impl Fn(usize, usize) -> Option<f64>) -> Result<Self> {
        ensure!(
            rows >= 3 && cols >= 3,
            "a plate of {cols} × {rows} cells has nothing inside its frame: it must be at least 3 × 3"
        );
        let frame = |row, col| row == 0 || col == 0 || row == rows - 1 || col == cols - 1;
        let positions = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let free = |row, col| !frame(row, col) && cell(row, col).is_none();
        Ok(Plate {
            rows,
            cols,
            temperatures: positions().map(|(row, col)| cell(row, col).unwrap_or(0.0)).collect(),
            rates: positions().map(|(row, col)| if free(row, col) { FREE } else { HELD }).collect(),
        })
    }

    /// The plate an image shows: black is free, every other level is held at a temperature that grows with
    /// its brightness, up to 1 for white.
    pub fn from_image(image: &Grey) -> Result<Self> {
        Self::new(image.rows, image.cols, |row, col| {
            let level = image.levels[row * image.cols + col];
            (level > 0).then(|| f64::from(level) / f64::from(image.white))
        })
    }

    /// Rows and columns, with the frame.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.cols]
    }

    /// Rows and columns inside the frame: the cells that processes share among them.
    pub fn interior(&self) -> [usize; 2] {
        [self.rows - 2, self.cols - 2]
    }

    /// Held temperatures, 0 where free, row by row.
    pub fn temperatures(&self) -> &[f64] {
        &self.temperatures
    }

    /// [`FREE`] or [`HELD`] for each cell, row by row.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// How many cells are free.
    pub fn free_cells(&self) -> usize {
        self.rates.iter().filter(|&&rate| rate == FREE).count()
    }
}
