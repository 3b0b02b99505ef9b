//@ expect E0597
//@ fix /let mut buf/d;s/world.scope/let mut buf = [0u8; 4]; world.scope/
//! A buffer that dies before the scope completes the receive.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        let mut buf = [0u8; 4];
        let _ = s.irecv(&mut buf, 0, 0)?;
        Ok(())
    })
}
