//@ expect E0308
//@ fix s/&buf, 0/\&mut buf, 0/;s/let buf/let mut buf/
//! A receive writes: it takes an exclusive borrow.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let buf = [0u8; 4];
    world.recv_into(&buf, 0, 0)?;
    Ok(())
}
