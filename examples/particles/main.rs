//! Bodies that pull at each other: every rank moves its own, and needs to know all. Its C twin makes MPI's types by hand.
//! `cargo xmpi run -n 4 --example particles -- BODIES STEPS`

#[path = "../timing/mod.rs"]
mod timing;

use mpi::buffer::{Counts, WithCounts};
use mpi::{AnyBits, Communicator, Datatype, Result};
use timing::{arguments, digest, random, time};

/// A body: MPI learns of it by the derive.
#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
pub struct Body {
    /// Where it is.
    pub at: [f64; 3],
    /// Where it will be a unit of time later, if nothing pulls.
    pub velocity: [f64; 3],
    /// How strongly it pulls.
    pub mass: f64,
}

const TIME: f64 = 1e-4;
const SOFT: f64 = 1e-2;

/// Moves this rank's bodies as all pull at them, and tells all ranks.
pub fn step(world: &Communicator, counts: &Counts, mine: &mut [Body], all: &mut [Body]) -> Result<()> {
    for body in &mut *mine {
        let mut sum = [0.0; 3];
        for other in &*all {
            let way = [0, 1, 2].map(|k| other.at[k] - body.at[k]);
            let square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2] + SOFT;
            let pull = other.mass / (square * square.sqrt());
            (0..3).for_each(|k| sum[k] += pull * way[k]);
        }
        body.velocity = [0, 1, 2].map(|k| body.velocity[k] + TIME * sum[k]);
        body.at = [0, 1, 2].map(|k| body.at[k] + TIME * body.velocity[k]);
    }
    world.allgatherv_into(&*mine, all.with_counts_mut(counts))
}

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let (bodies, steps) = arguments(100);
    let number = |i: usize| (random(0, i as u64) >> 11) as f64 / (1u64 << 53) as f64;
    let three = |i: usize| [number(i), number(i + 1), number(i + 2)];
    let body = |i: usize| Body { at: three(7 * i), velocity: three(7 * i + 3), mass: number(7 * i + 6) };
    let counts = Counts::even(bodies, world.size())?; // who moves which
    let mut all: Vec<Body> = (0..bodies).map(body).collect();
    let mut mine = all[counts.range(world.rank())].to_vec();
    let round = || step(&world, &counts, &mut mine, &mut all).map(|()| mine.clone());
    let fields = |body: &Body| body.at.into_iter().chain(body.velocity).chain([body.mass]);
    time(&world, steps, round, |last| digest(world.rank(), last.iter().flat_map(fields).map(f64::to_bits)))
}
