//! Every rank collects what all ranks have, however much each has.
//! `cargo xmpi run -n 4 --example allgatherv -- SIZE ROUNDS`

#[path = "../timing/mod.rs"]
#[expect(dead_code, reason = "the others make a new result in each round")]
mod timing;

use mpi::{Communicator, Result};
use timing::{arguments, digest, random, time_in};

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let (size, rounds) = arguments(10);
    let (me, ranks) = (world.rank() as u64, world.size());
    // Each rank has another number of elements.
    let mine: Vec<u64> = (0..(size * (world.rank() + 1) / ranks) as u64).map(|i| random(me, i)).collect();
    time_in(
        &world,
        rounds,
        Vec::new(), // kept from round to round; a single time is `comm.allgatherv(&mine)?`
        |all| world.allgatherv_resizing(&mine, all).map(drop), // the communication
        |all| digest(world.rank(), all.iter().copied()),
    )
}
