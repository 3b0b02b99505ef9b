//@ expect E0499
//@ fix /part\[0\]/d
//! What is being filled is not made ready by its number.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init(vec![0u8; 4], 2, 0, 0)?;
    let mut filling = send.start()?;
    let part = filling.partition(0)?;
    filling.ready_list(&[0, 1])?;
    part[0] = 1;
    filling.wait()
}
