//@ expect: write "single", "funneled", "serialized" or "multiple"
//@ fix s/MPI_THREAD_MULTIPLE/"multiple"/
//! Thread levels are words in quotes.
use mpi::Communicator;

#[mpi::main(threads = MPI_THREAD_MULTIPLE)]
fn main(world: Communicator) {
    println!("{}", world.rank());
}
