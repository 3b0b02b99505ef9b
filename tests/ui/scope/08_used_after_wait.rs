//@ expect E0382
//@ fix 0,/r.wait()?;/{/r.wait()?;/d}
//! Waiting twice.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let r = s.irecv(&mut buf, 0, 0)?;
        r.wait()?;
        r.wait()?;
        Ok(())
    })
}
