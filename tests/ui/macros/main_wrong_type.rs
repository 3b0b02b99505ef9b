//@ expect: E0631
//@ fix s/world: usize/world: mpi::Communicator/
//! The parameter is the world communicator, not the rank; the error points at its type.

#[mpi::main]
fn main(world: usize) {
    let _ = world;
}
