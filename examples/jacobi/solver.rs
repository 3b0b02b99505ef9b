//! Jacobi's method on all ranks: steps, halo exchange, and the decision to stop.

use crate::limits::Limits;
use crate::summary::Course;
use crate::sweep::{Ghosts, Sweep};
use mpi::buffer::Grid;
use mpi::op::{Max, Sum};
use mpi::request::wait_all;
use mpi::topology::Cartesian;
use std::mem;
use std::time::{Duration, Instant};

/// The part of the plate that one rank computes.
#[derive(Debug)]
pub struct Local {
    /// Temperatures, with a ring of ghosts: what the neighbours hold, or the frame of the plate.
    pub old: Grid<f64>,
    /// Where the next step puts its result. Its ghosts on the frame are those of `old`.
    pub new: Grid<f64>,
    /// The cells to compute.
    pub sweep: Sweep,
}

/// Tags say which way a message travels, so that two messages between the same two ranks stay apart.
mod towards {
    pub const NORTH: i32 = 1;
    pub const SOUTH: i32 = 2;
    pub const WEST: i32 = 3;
    pub const EAST: i32 = 4;
}

/// Who holds the cells around the tile; nobody beyond the frame.
#[derive(Debug, Clone, Copy)]
struct Neighbours {
    north: Option<usize>,
    south: Option<usize>,
    west: Option<usize>,
    east: Option<usize>,
}

impl Neighbours {
    fn of(cart: &Cartesian) -> mpi::Result<Self> {
        let (north, south) = cart.shift(0, 1)?;
        let (west, east) = cart.shift(1, 1)?;
        Ok(Neighbours { north, south, west, east })
    }
}

/// Repeats steps until a limit is reached. `after_step` is told how many steps there were, and the largest change in
/// the step before the last.
///
/// The decision lags by one step, because the reduction of a step's change travels while the next step computes.
pub fn solve(
    cart: &Cartesian,
    local: &mut Local,
    limits: &Limits,
    mut after_step: impl FnMut(u64, f64),
) -> mpi::Result<Course> {
    let neighbours = Neighbours::of(cart)?;
    let mut stopwatch = Stopwatch::default();
    let (mut change, mut iterations) = (f64::INFINITY, 0);
    cart.barrier()?;
    let start = Instant::now();
    loop {
        let residual = step(cart, neighbours, local, change, &mut stopwatch)?;
        change = local.sweep.take_largest_change();
        mem::swap(&mut local.old, &mut local.new);
        iterations += 1;
        after_step(iterations, residual);
        if limits.reached(iterations, residual) {
            break;
        }
    }
    let mine = [start.elapsed().as_secs_f64(), stopwatch.communication.as_secs_f64()];
    let [slowest, _] = cart.allreduce(&mine, Max)?;
    let [_, communication] = cart.allreduce(&mine, Sum)?;
    Ok(Course {
        iterations,
        residual: cart.allreduce(&change, Max)?,
        time: Duration::from_secs_f64(slowest),
        communication: Duration::from_secs_f64(communication / cart.size() as f64),
    })
}

/// One step from `local.old` to `local.new`. Gives the largest `change` of all ranks.
fn step(
    cart: &Cartesian,
    to: Neighbours,
    local: &mut Local,
    change: f64,
    stopwatch: &mut Stopwatch,
) -> mpi::Result<f64> {
    let sweep = &mut local.sweep;
    let halo = local.old.split();
    let core = halo.core.shared();
    let (rows, cols) = (core.rows(), core.cols());
    let mut new = local.new.split().core;
    let mut residual = 0.0;
    stopwatch.communicate();
    cart.scope(|s| {
        let reduction = s.iallreduce(&change, &mut residual, Max)?;
        let ghosts = [
            s.irecv(halo.north, to.north, towards::SOUTH)?,
            s.irecv(halo.south, to.south, towards::NORTH)?,
            s.irecv(halo.west, to.west, towards::EAST)?,
            s.irecv(halo.east, to.east, towards::WEST)?,
        ];
        // The scope completes the sends; meanwhile their cells may be read, here and by MPI.
        s.isend(core.block(0..1, 0..cols), to.north, towards::NORTH)?.defer();
        s.isend(core.block(rows - 1..rows, 0..cols), to.south, towards::SOUTH)?.defer();
        s.isend(core.block(0..rows, 0..1), to.west, towards::WEST)?.defer();
        s.isend(core.block(0..rows, cols - 1..cols), to.east, towards::EAST)?.defer();

        stopwatch.compute();
        sweep.interior(core, &mut new);
        stopwatch.communicate();
        let [north, south, west, east] = wait_all(ghosts)?.map(|ghost| ghost.data.shared());
        stopwatch.compute();
        sweep.rim(core, Ghosts { north: north.row(0), south: south.row(0), west, east }, &mut new);
        stopwatch.communicate();
        reduction.wait()?;
        Ok(())
    })?;
    stopwatch.compute();
    Ok(residual)
}

/// Adds up the time in communication.
#[derive(Debug)]
struct Stopwatch {
    since: Instant,
    communication: Duration,
}

impl Default for Stopwatch {
    fn default() -> Self {
        Stopwatch { since: Instant::now(), communication: Duration::ZERO }
    }
}

impl Stopwatch {
    /// Communication begins.
    fn communicate(&mut self) {
        self.since = Instant::now();
    }

    /// Communication is over.
    fn compute(&mut self) {
        self.communication += self.since.elapsed();
    }
}
