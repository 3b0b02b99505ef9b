//@ expect E0502
//@ fix s/plan.get(array)?\[0\]/flight.view(array, 0..1)?[(0, 0)]/
//! Reading a plan's array as a whole while parts of it are received: a block that is not received can be read.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let flight = plan.start()?;
    println!("{}", plan.get(array)?[0]);
    flight.wait()
}
