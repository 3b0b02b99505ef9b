//@ expect E0277
//@ expect: not every bit pattern is a `bool`
//@ fix s/plan.recv(array, 0..4, 0, 0)/plan.send(array, 0..4, 0, 0)/
//! Receiving arbitrary bytes into an array of `bool`; sending it is fine.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([false; 4]);
    plan.recv(array, 0..4, 0, 0)?;
    Ok(())
}
