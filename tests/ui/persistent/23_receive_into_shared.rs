//@ expect E0308
//@ fix s/plan.recv/plan.send/
//! Receiving into an array that is only borrowed for reading.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let table = [0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&table);
        plan.recv(id, 0..4, 0, 0)?;
        Ok(())
    })
}
