//@ expect E0277
//@ fix s/true;/1u8;/; s/false;/0u8;/
//! What MPI writes in flight must be valid whatever the bits.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let (mine, all) = (plan.array([true; 3]), plan.array(vec![false; 3 * world.size()]));
    plan.allgather(mine, all)?;
    Ok(())
}
