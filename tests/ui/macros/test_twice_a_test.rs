//@ expect: remove `#[test]`
//@ fix /^#\[test\]/d
//! The attribute makes the function a test already.
use mpi::Communicator;

#[mpi::test]
#[test]
fn waits(world: Communicator) {
    assert!(world.size() > 0);
}

fn main() {}
