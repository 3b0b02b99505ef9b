//@ expect E0505 E0597
//@ fix /drop(field)/d
//! Dropping an array that a forgotten plan of an open scope receives into.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut field = vec![0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&mut field);
        plan.recv(id, 0..4, 0, 0)?;
        std::mem::forget(plan.start()?);
        std::mem::forget(plan);
        drop(field);
        Ok(())
    })
}
