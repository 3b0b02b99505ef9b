//@ expect E0499
//@ fix s/send.buffer_mut()?\[0\] = 1;//
//! Writing the buffer of a persistent send before it is complete.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.send_init([0u8; 4], 0, 0)?;
    let outgoing = send.start()?;
    send.buffer_mut()?[0] = 1;
    outgoing.wait()
}
