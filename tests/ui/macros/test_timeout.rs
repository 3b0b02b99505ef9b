//@ expect: `timeout` takes a positive number of seconds
//@ fix s/"30 s"/30/
//! Time limits are seconds.
use mpi::Communicator;

#[mpi::test(timeout = "30 s")]
fn waits(world: Communicator) {
    assert!(world.size() > 0);
}

fn main() {}
