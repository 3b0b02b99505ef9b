//@ expect E0277
//@ expect: not every bit pattern is a `bool`
//@ fix s/plan.recv/plan.send/
//! Receiving arbitrary bytes as `bool` into borrowed memory.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut flags = [true; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&mut flags);
        plan.recv(id, 0..4, 0, 0)?;
        Ok(())
    })
}
