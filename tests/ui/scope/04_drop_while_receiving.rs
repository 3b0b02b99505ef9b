//@ expect E0499
//@ fix /buf.clear/d
//! Freeing or resizing a buffer in flight.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = vec![0u8; 4];
    world.scope(|s| {
        let _ = s.irecv(&mut buf, 0, 0)?;
        buf.clear();
        Ok(())
    })
}
