//@ expect: has no option `thread`: it takes `threads = "multiple"`
//@ fix s/thread = /threads = /
//! A misspelt option is named, with those that exist.
use mpi::Communicator;

#[mpi::main(thread = "multiple")]
fn main(world: Communicator) {
    println!("{}", world.rank());
}
