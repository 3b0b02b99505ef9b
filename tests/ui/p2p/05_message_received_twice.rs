//@ expect E0382
//@ expect: use of moved value: `message`
//@ fix /second/d
//! A message is received once.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let message = world.mprobe(0, 0)?;
    let _first = message.recv_vec::<u8>()?;
    let _second = message.recv_vec::<u8>()?;
    Ok(())
}
