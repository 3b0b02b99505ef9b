//@ expect E0502
//@ fix /world.allreduce/d
//! A reduction's result is MPI's until the request is complete.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (x, mut y) = ([1.0; 4], [0.0; 4]);
    world.scope(|s| {
        let r = s.iallreduce(&x, &mut y, Sum)?;
        world.allreduce(&y, Sum)?;
        r.wait()?;
        Ok(())
    })
}
