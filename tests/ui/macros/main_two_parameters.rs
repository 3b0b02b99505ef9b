//@ expect: one value, the world communicator
//@ fix s/, arguments: Vec<String>//; s/arguments.len()/std::env::args().len()/
//! Arguments come from `std::env`, as everywhere in Rust.
use mpi::Communicator;

#[mpi::main]
fn main(world: Communicator, arguments: Vec<String>) {
    println!("{} {}", world.rank(), arguments.len());
}
