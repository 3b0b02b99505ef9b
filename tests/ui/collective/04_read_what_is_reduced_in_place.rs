//@ expect E0503
//@ fix s/if y\[0\] > 0.0/if true/
//! In place, the input is the result: MPI writes to it until the request is complete.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut y = [1.0; 4];
    world.scope(|s| {
        let r = s.iallreduce_in_place(&mut y, Sum)?;
        if y[0] > 0.0 {
            r.wait()?;
        }
        Ok(())
    })
}
