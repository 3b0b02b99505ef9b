//@ expect E0277
//@ fix s/plan.array(&table)/plan.array(\&mut table)/
//! A broadcast writes to the array of all ranks but the root.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    #[allow(unused_mut)]
    let mut table = [0.5f64; 8];
    world.scope(|s| {
        let mut plan = s.plan();
        let table = plan.array(&table);
        plan.bcast(table, 0)?;
        Ok(())
    })
}
