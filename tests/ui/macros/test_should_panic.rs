//@ expect: cannot be met on several ranks
//@ fix /#\[should_panic\]/d
//! A panic on one rank ends the job for all, so there is nothing to expect.
use mpi::Communicator;

#[mpi::test(ranks = 2)]
#[should_panic]
fn panics(world: Communicator) {
    assert_eq!(world.size(), 3);
}

fn main() {}
