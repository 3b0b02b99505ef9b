//@ expect E0499
//@ fix /plan.barrier/d
//! A plan in flight takes no operation.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let parameters = plan.array([0.0f64; 3]);
    plan.bcast(parameters, 0)?;
    let flight = plan.start()?;
    plan.barrier()?;
    flight.wait()
}
