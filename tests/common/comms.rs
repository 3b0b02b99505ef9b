//! Communicators of every origin.

use mpi::{Communicator, Result};

/// Runs `check` on the world, a duplicate, halves, this process alone, and a ring.
pub fn on_each(world: &Communicator, check: impl Fn(&Communicator) -> Result<()>) -> Result<()> {
    check(world)?;
    check(&world.dup()?)?;
    // The order is reversed, so that a rank in the half is not the rank in the world.
    let half = world.split(Some(world.rank() % 2), -(world.rank() as i32))?;
    check(&half.expect("every rank gave a color"))?;
    check(&Communicator::this_process()?)?;
    let ring = world.cartesian(&[world.size()], &[true], false)?;
    check(&ring.expect("every rank has a place"))
}
