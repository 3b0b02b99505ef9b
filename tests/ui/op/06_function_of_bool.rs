//@ expect E0277
//@ expect: a peer's bytes may be no valid value of it
//@ fix s/bool/u8/;s/a && b/a \& b/;s/&true/\&1u8/
//! A function would be given bytes that are no value.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let op = from_fn(|a: bool, b| a && b);
    let _ = world.allreduce(&true, &op)?;
    Ok(())
}
