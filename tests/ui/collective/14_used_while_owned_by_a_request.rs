//@ expect E0382
//@ fix s/total\.len()/4/
//! The result is the request's until it comes back.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let total = vec![0.0; 4];
    let pending = world.iallreduce(vec![1.5; 4], total, Sum)?;
    assert_eq!(total.len(), 4);
    pending.wait()?;
    Ok(())
}
