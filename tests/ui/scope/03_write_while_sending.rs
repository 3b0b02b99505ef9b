//@ expect E0506
//@ fix /buf\[0\] = 1/d
//! Modifying a send buffer in flight.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let _ = s.isend(&buf, 0, 0)?;
        buf[0] = 1;
        Ok(())
    })
}
