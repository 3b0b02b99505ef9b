//@ expect E0382
//@ fix 0,/request.cancel()?;/s/request.cancel()?;//
//! A request is cancelled once.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let request = s.irecv(&mut buf, 0, 0)?;
        request.cancel()?;
        request.cancel()?;
        Ok(())
    })
}
