//@ expect E0502
//@ fix /println/d
//! Keeping a slice of an array over a start, which receives into it.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let slice = plan.get(array)?;
    plan.start()?.wait()?;
    println!("{slice:?}");
    Ok(())
}
