//@ expect E0506
//@ fix /x\[0\] = 2/d
//! What others collect may be read meanwhile, not written.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (mut x, mut all) = ([1u32; 4], vec![0; 4 * world.size()]);
    world.scope(|s| {
        let r = s.iallgather(&x, &mut all)?;
        x[0] = 2;
        r.wait()?;
        Ok(())
    })
}
