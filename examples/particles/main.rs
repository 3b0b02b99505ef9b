//! Bodies that pull at each other: every rank moves its own, and needs to know all. Its C twin makes MPI's types by hand.
//! `cargo xmpi run -n 4 --example particles -- BODIES STEPS`

mod step;
#[path = "../timing/mod.rs"]
mod timing;

use mpi::buffer::Counts;
use mpi::{Communicator, Result};
use step::{Body, step};
use timing::{arguments, digest, random, time};

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let (bodies, steps) = arguments(100);
    let number = |i: usize| (random(0, i as u64) >> 11) as f64 / (1u64 << 53) as f64;
    let three = |i: usize| [number(i), number(i + 1), number(i + 2)];
    let body = |i: usize| Body { at: three(7 * i), velocity: three(7 * i + 3), mass: number(7 * i + 6) };
    let counts = Counts::even(bodies, world.size())?; // who moves which
    let mut mine: Vec<Body> = counts.range(world.rank()).map(body).collect();
    let mut all = vec![Body::default(); bodies];
    let round = || step(&world, &counts, &mut mine, &mut all).map(|()| mine.clone());
    let fields = |body: &Body| body.at.into_iter().chain(body.velocity).chain([body.mass]);
    time(&world, steps, round, |last| digest(world.rank(), last.iter().flat_map(fields).map(f64::to_bits)))
}
