//@ expect E0499
//@ fix /let second/d;s/second.wait()/Ok(())/
//! Starting a plan that is in flight.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let first = plan.start()?;
    let second = plan.start()?;
    first.wait()?;
    second.wait()
}
