//@ expect E0502
//@ fix /println/d
//! Reading the buffer of a persistent receive before it is complete.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut receive = world.recv_init([0u8; 4], 0, 0)?;
    let incoming = receive.start()?;
    println!("{:?}", receive.buffer()?);
    incoming.wait()?;
    Ok(())
}
