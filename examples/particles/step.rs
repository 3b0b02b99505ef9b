//! One step of the motion.

use mpi::buffer::{Counts, WithCounts};
use mpi::{Communicator, Result};
use std::ops::Range;

/// Place, velocity, mass.
pub type Body = [f64; 7];

const TIME: f64 = 1e-4;
const SOFT: f64 = 1e-2;

/// Which bodies a rank moves.
pub fn share(bodies: usize, rank: usize, ranks: usize) -> Range<usize> {
    bodies * rank / ranks..bodies * (rank + 1) / ranks
}

/// Collects all bodies, and moves this rank's.
pub fn step(world: &Communicator, counts: &Counts, mine: &mut [Body], all: &mut [Body]) -> Result<()> {
    world.allgatherv_into(&*mine, all.with_counts_mut(counts))?;
    for body in mine {
        let pull = pull(body, all);
        for k in 0..3 {
            body[k + 3] += TIME * pull[k];
            body[k] += TIME * body[k + 3];
        }
    }
    Ok(())
}

/// How all bodies pull at one.
fn pull(body: &Body, all: &[Body]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for other in all {
        let way = [other[0] - body[0], other[1] - body[1], other[2] - body[2]];
        let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2] + SOFT;
        let pull = other[6] / (square * square.sqrt());
        for k in 0..3 {
            sum[k] += pull * way[k];
        }
    }
    sum
}
