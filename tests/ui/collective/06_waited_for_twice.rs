//@ expect E0382
//@ fix /again/d
//! The buffers come back once.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let pending = world.iallreduce(vec![1.5; 4], vec![0.0; 4], Sum)?;
    let (_, total) = pending.wait()?;
    let (_, again) = pending.wait()?;
    assert_eq!(total.len(), 4);
    Ok(())
}
