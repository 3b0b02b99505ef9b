//@ expect: write concrete types
//@ fix s/main<C: Sized>(_world: C)/main(_world: mpi::Communicator)/
//! Nobody calls `main` with a type.

#[mpi::main]
fn main<C: Sized>(_world: C) {}
