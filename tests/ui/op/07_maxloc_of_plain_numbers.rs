//@ expect E0277
//@ expect: is not defined for elements of type `f64`
//@ fix s/&1\.5f64/\&mpi::op::Located::new(1.5, world.rank())/
//! Where is the largest? The elements must say.
use mpi::op::MaxLoc;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.allreduce(&1.5f64, MaxLoc)?;
    Ok(())
}
