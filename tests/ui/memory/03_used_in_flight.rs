//@ expect E0382
//@ fix s/memory\[0\] = 1;//
//! Memory that a request owns comes back when the request is complete.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut memory = mpi::alloc::zeroed::<u8>(3)?;
    memory[0] = 2;
    let sent = world.isend(memory, 0, 0)?;
    memory[0] = 1;
    sent.wait().map(drop)?;
    Ok(())
}
