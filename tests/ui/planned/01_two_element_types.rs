//@ expect E0277
//@ fix s/0i32/0.0f64/
//! A collective of a plan is of one element type.
use mpi::{op::Sum, persistent::Plan};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let (mine, total) = (plan.array([1.0f64; 3]), plan.array([0i32; 3]));
    plan.allreduce(mine, total, Sum)?;
    Ok(())
}
