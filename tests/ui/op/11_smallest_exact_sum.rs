//@ expect E0277
//@ fix s/Min/Sum/g
//! The words of a sum are added: nothing else makes sense of them.
use mpi::op::{ExactSum, Min};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.allreduce(&ExactSum::new(), Min)?;
    Ok(())
}
