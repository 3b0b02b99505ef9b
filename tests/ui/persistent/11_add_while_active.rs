//@ expect E0499
//@ fix /plan.send/d
//! Adding an operation to a plan in flight.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let flight = plan.start()?;
    plan.send(array, 0..4, 0, 0)?;
    flight.wait()
}
