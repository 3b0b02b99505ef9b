//@ expect E0505
//@ fix /println/d;s/let v/let _v/
//! Keeping a view of a started plan past its completion: the next start could receive into it.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let flight = plan.start()?;
    let v = flight.view(array, 0..1)?;
    flight.wait()?;
    println!("{}", v[(0, 0)]);
    Ok(())
}
