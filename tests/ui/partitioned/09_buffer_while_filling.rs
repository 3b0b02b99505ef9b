//@ expect E0499
//@ fix /send.buffer_mut/d
//! Writing the whole buffer while partitions of it may travel.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init([0u64; 4], 2, 0, 0)?;
    let filling = send.start()?;
    send.buffer_mut()?[0] = 1;
    filling.wait()
}
