//@ expect E0499
//@ fix /plan.get_mut/d
//! Writing a plan's array as a whole while it is in flight.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let flight = plan.start()?;
    plan.get_mut(array)?[0] = 1;
    flight.wait()
}
