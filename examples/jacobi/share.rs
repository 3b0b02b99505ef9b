//! Dealing a plate out to all ranks, and gathering the result.
//!
//! Rank 0 sends windows of the plate as they lie in it, and receives tiles where they belong: nothing is copied on
//! the way, and no other rank ever holds more than its own part.

use crate::decompose::Tile;
use crate::plate::Plate;
use crate::solver::Local;
use crate::sweep::Sweep;
use mpi::buffer::{Grid, Strided, StridedMut};
use mpi::topology::Cartesian;
use std::ops::Range;

const TEMPERATURES: i32 = 1;
const RATES: i32 = 2;
const RESULT: i32 = 3;

/// How the cells inside the frame are spread over the ranks.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// Rows and columns inside the frame.
    pub interior: [usize; 2],
    /// Rows and columns of the process grid.
    pub dims: [usize; 2],
}

impl Layout {
    fn tile(&self, cart: &Cartesian, rank: usize) -> mpi::Result<Tile> {
        let coords = cart.coords(rank)?;
        Ok(Tile::new(self.interior, self.dims, [coords[0], coords[1]]))
    }
}

/// Gives every rank its part of the plate, which rank 0 has.
pub fn deal(cart: &Cartesian, layout: Layout, plate: Option<&Plate>) -> mpi::Result<Local> {
    let [rows, cols] = layout.tile(cart, cart.rank())?.shape();
    let mut old = Grid::new(rows, cols, 1, 0.0)?;
    let mut rates = vec![0.0; rows * cols];
    cart.scope(|s| {
        s.irecv(old.as_mut_slice(), 0, TEMPERATURES)?.defer();
        s.irecv(&mut rates, 0, RATES)?.defer();
        if let Some(plate) = plate {
            for rank in 0..cart.size() {
                let tile = layout.tile(cart, rank)?;
                s.isend(window(plate, plate.temperatures(), &with_ghosts(&tile))?, rank, TEMPERATURES)?
                    .defer();
                s.isend(window(plate, plate.rates(), &without_ghosts(&tile))?, rank, RATES)?.defer();
            }
        }
        Ok(())
    })?;
    Ok(Local { new: old.clone(), old, sweep: Sweep::new([rows, cols], rates) })
}

/// Brings all tiles together on rank 0, inside the frame of its plate: the temperatures, row by row.
pub fn gather(
    cart: &Cartesian,
    layout: Layout,
    plate: Option<&Plate>,
    local: &mut Local,
) -> mpi::Result<Option<Vec<f64>>> {
    let mut field = plate.map(|plate| plate.temperatures().to_vec());
    let core = local.old.split().core.shared();
    cart.scope(|s| {
        s.isend(core, 0, RESULT)?.defer();
        if let Some(field) = &mut field {
            for rank in 0..cart.size() {
                let Tile { rows, cols } = without_ghosts(&layout.tile(cart, rank)?);
                let width = layout.interior[1] + 2;
                let start = rows.start * width + cols.start;
                let mut tile = StridedMut::new(field, start, rows.len(), cols.len(), width)?;
                cart.recv_into(&mut tile, rank, RESULT)?;
            }
        }
        Ok(())
    })?;
    Ok(field)
}

/// A tile in rows and columns of the plate, which has the frame around the interior.
fn without_ghosts(tile: &Tile) -> Tile {
    let shift = |range: &Range<usize>| range.start + 1..range.end + 1;
    Tile { rows: shift(&tile.rows), cols: shift(&tile.cols) }
}

/// The same with one more cell on each side.
fn with_ghosts(tile: &Tile) -> Tile {
    let widen = |range: &Range<usize>| range.start..range.end + 2;
    Tile { rows: widen(&tile.rows), cols: widen(&tile.cols) }
}

fn window<'a>(plate: &Plate, values: &'a [f64], Tile { rows, cols }: &Tile) -> mpi::Result<Strided<'a, f64>> {
    let [_, width] = plate.shape();
    Strided::new(values, rows.start * width + cols.start, rows.len(), cols.len(), width)
}
