//@ expect E0505
//@ fix /drop(send)/d
//! Freeing the buffer while it is being filled.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init([0u64; 4], 2, 0, 0)?;
    let filling = send.start()?;
    drop(send);
    filling.wait()
}
