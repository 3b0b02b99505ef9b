//@ expect E0499
//@ fix s/^    flight.wait()/    Ok(())/;s/let _gone.*/flight.wait()?;/
//! Taking an array out of a plan in flight.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let flight = plan.start()?;
    let _gone = plan.take(array)?;
    flight.wait()
}
