//@ expect E0308
//@ fix s/get_mut(id)?\[0\] = 1/get(id)?/
//! Writing to an array that is only borrowed for reading.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let table = [0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&table);
        plan.get_mut(id)?[0] = 1;
        Ok(())
    })
}
