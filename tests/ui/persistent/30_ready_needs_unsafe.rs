//@ expect E0133
//@ fix s/plan.rsend(\(.*\))?/plan.send(\1)?/
//! A ready send without a promise that a receive waits whenever the plan is started.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = mpi::persistent::Plan::new(&world);
    let id = plan.array([0u8; 4]);
    plan.rsend(id, 0..4, 0, 0)?;
    Ok(())
}
