//@ expect E0505
//@ fix /drop(world)/d
//! Freeing the communicator of a plan.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    drop(world);
    plan.start()?.wait()
}
