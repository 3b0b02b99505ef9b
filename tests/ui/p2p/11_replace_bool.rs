//@ expect E0277
//@ expect: every bit pattern of `T` is valid
//@ fix s/true, false/1u8, 0/
//! What is replaced is received into.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut flags = [true, false];
    world.sendrecv_replace(&mut flags, 0, 0, 0, 0)?;
    Ok(())
}
