//@ expect E0382
//@ fix 0,/request.wait()?;/{/request.wait()?;/d}
//! Waiting gives the buffer back, once.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let request = world.isend(vec![0u32; 8], 0, 0)?;
    request.wait()?;
    request.wait()?;
    Ok(())
}
