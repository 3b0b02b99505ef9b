//@ expect: as in `ranks = 2` or `ranks = [1, 2, 4]`
//@ fix s/1\.\.=4/[1, 2, 3, 4]/
//! Rank counts are written out, so that a reader sees what a test costs.
use mpi::Communicator;

#[mpi::test(ranks = 1..=4)]
fn counts(world: Communicator) {
    assert!(world.size() <= 4);
}

fn main() {}
