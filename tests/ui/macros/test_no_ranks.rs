//@ expect: a job has at least one rank
//@ fix s/ranks = 0/ranks = 1/
//! Zero ranks run no test.
use mpi::Communicator;

#[mpi::test(ranks = 0)]
fn nobody(world: Communicator) {
    assert_eq!(world.size(), 0);
}

fn main() {}
