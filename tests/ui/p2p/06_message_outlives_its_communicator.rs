//@ expect E0505
//@ fix s/drop(halves);//
//! A matched message is received on the communicator it came on.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let halves = world.dup()?;
    let message = halves.mprobe(0, 0)?;
    drop(halves);
    message.recv::<u8>()?;
    Ok(())
}
