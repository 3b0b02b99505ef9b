//! Sorts random numbers of all ranks. `cargo xmpi run -n 4 --example sample_sort -- SIZE ROUNDS`

mod sort;
#[path = "../timing/mod.rs"]
mod timing;

use mpi::{Communicator, Result};
use timing::{arguments, digest, random, time};

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let (size, rounds) = arguments(1000);
    let mine: Vec<u64> = (0..size as u64).map(|i| random(world.rank() as u64, i)).collect();
    time(
        &world,
        rounds,
        || sort::sample_sort(mine.clone(), &world),
        |sorted| digest(world.rank(), sorted.iter().copied()),
    )
}
