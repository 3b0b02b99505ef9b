//@ expect E0277
//@ fix s/1.0f64/1u64/; s/0.0f64/0u64/
//! An operation that is not defined for the elements.
use mpi::{op::BitAnd, persistent::Plan};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let (mine, all) = (plan.array([1.0f64; 3]), plan.array([0.0f64; 3]));
    plan.allreduce(mine, all, BitAnd)?;
    Ok(())
}
