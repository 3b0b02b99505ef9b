//! One step of the motion.

use mpi::buffer::{Counts, WithCounts};
use mpi::{AnyBits, Communicator, Datatype, Result};
use std::array::from_fn;

/// A body: MPI learns of it by the derive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Datatype, AnyBits)]
#[repr(C)]
pub struct Body {
    pub at: [f64; 3],
    pub velocity: [f64; 3],
    pub mass: f64,
}

const TIME: f64 = 1e-4;
const SOFT: f64 = 1e-2;

/// Collects all bodies, and moves this rank's.
pub fn step(world: &Communicator, counts: &Counts, mine: &mut [Body], all: &mut [Body]) -> Result<()> {
    world.allgatherv_into(&*mine, all.with_counts_mut(counts))?;
    mine.iter_mut().for_each(|body| body.advance(all));
    Ok(())
}

impl Body {
    /// Moves as all bodies pull at it.
    pub fn advance(&mut self, all: &[Body]) {
        let mut sum = [0.0; 3];
        for other in all {
            let way: [f64; 3] = from_fn(|k| other.at[k] - self.at[k]);
            let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2] + SOFT;
            let pull = other.mass / (square * square.sqrt());
            (0..3).for_each(|k| sum[k] += pull * way[k]);
        }
        self.velocity = from_fn(|k| self.velocity[k] + TIME * sum[k]);
        self.at = from_fn(|k| self.at[k] + TIME * self.velocity[k]);
    }
}
