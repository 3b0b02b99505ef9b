//@ expect E0382
//@ fix /cancel/d
//! A cancelled receive has given its buffer back.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let receive = world.irecv(vec![1u8], None, 0)?;
    receive.cancel()?;
    receive.wait()?;
    Ok(())
}
