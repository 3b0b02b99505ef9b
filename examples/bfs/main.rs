//! Distances in a random graph that is dealt out to the ranks. `cargo xmpi run -n 4 --example bfs -- VERTICES ROUNDS`

mod graph;
mod search;
#[path = "../timing/mod.rs"]
mod timing;

use mpi::{Communicator, Result};
use timing::{arguments, digest, random, time};

/// How many edges leave each vertex.
const DEGREE: u64 = 8;

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let (vertices, rounds) = arguments(1000);
    let edges = |v| (0..DEGREE).map(move |i| random(1, v * DEGREE + i) % vertices as u64);
    let graph = graph::Graph::new(vertices, world.rank(), world.size(), edges);
    time(
        &world,
        rounds,
        || search::bfs(&graph, 0, &world),
        |distances| digest(world.rank(), distances.iter().copied()),
    )
}
