//@ expect: remove `async`
//@ fix s/async //
//! MPI's progress is not a future: its nonblocking calls live in a scope.
use mpi::Communicator;

#[mpi::main]
async fn main(world: Communicator) {
    println!("{}", world.rank());
}
