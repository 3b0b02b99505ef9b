//! Cutting a plate into one rectangle for each process.

use anyhow::{Result, ensure};
use std::ops::Range;

/// The cells of one process, in rows and columns of the free interior of the plate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// Rows of the tile.
    pub rows: Range<usize>,
    /// Columns of the tile.
    pub cols: Range<usize>,
}

impl Tile {
    /// The tile at `coords` of a `dims` process grid over `rows × cols` cells.
    pub fn new([rows, cols]: [usize; 2], dims: [usize; 2], coords: [usize; 2]) -> Self {
        Tile { rows: share(rows, dims[0], coords[0]), cols: share(cols, dims[1], coords[1]) }
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> [usize; 2] {
        [self.rows.len(), self.cols.len()]
    }
}

/// Part `index` of `cells` cells dealt to `parts` parts whose sizes differ by at most one, larger ones first.
pub fn share(cells: usize, parts: usize, index: usize) -> Range<usize> {
    let (size, larger) = (cells / parts, cells % parts);
    let start = index * size + index.min(larger);
    start..start + size + usize::from(index < larger)
}

/// Turns the process grid so that its longer side lies along the longer side of the plate, and checks that
/// every process gets at least one cell.
pub fn fit([rows, cols]: [usize; 2], dims: [usize; 2]) -> Result<[usize; 2]> {
    let [short, long] = [dims[0].min(dims[1]), dims[0].max(dims[1])];
    let dims = if rows > cols { [long, short] } else { [short, long] };
    ensure!(
        dims[0] <= rows && dims[1] <= cols,
        "{ranks} ranks are too many for this image: they form {} rows of {}, but inside its frame it has only \
         {rows} rows of {cols} cells; use fewer ranks (-n) or a larger image",
        dims[0],
        dims[1],
        ranks = dims[0] * dims[1],
    );
    Ok(dims)
}
