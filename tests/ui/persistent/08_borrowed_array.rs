//@ expect E0277
//@ expect: values of type `&u8` cannot be sent over MPI
//@ fix s/field.iter().collect::<Vec<_>>()/field/
//! A plan owns its arrays: references to elements are no elements.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let field = vec![0u8; 4];
    let _ = plan.array(field.iter().collect::<Vec<_>>());
    Ok(())
}
