//@ expect E0277
//@ expect: does not define this operation for `bool`
//@ fix s/Sum/LogicalAnd/g
//! An operation on a type that the standard does not define it for.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.allreduce(&true, Sum)?;
    Ok(())
}
