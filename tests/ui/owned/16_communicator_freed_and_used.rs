//@ expect E0382
//@ fix /library.free()?;/d
//! A communicator that was freed is gone.
fn main() -> mpi::Result<()> {
    let library = mpi::init()?.dup()?;
    library.free()?;
    library.irecv(vec![0u8; 4], 0, 0)?.wait()?;
    Ok(())
}
