//@ expect E0308
//@ fix s/: &\[f64\]/: \&[u8]/
//! An array's id knows the element type.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let _numbers: &[f64] = plan.get(array)?;
    Ok(())
}
