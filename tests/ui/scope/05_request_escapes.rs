//@ expect E0521
//@ fix s/keep = Some(\(.*\));/keep = Some(\1.wait()?.status);/
//! A request leaves its scope.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    let mut keep = None;
    world.scope(|s| {
        keep = Some(s.irecv(&mut buf, 0, 0)?);
        Ok(())
    })
}
