//@ expect: it belongs on `fn main`, once
//@ fix s/fn start/fn main/; s/^fn main() {}$//
//! The attribute starts the program, so it cannot stand on any other function.
use mpi::Communicator;

#[mpi::main]
fn start(world: Communicator) {
    println!("{}", world.rank());
}

fn main() {}
