//@ expect E0277
//@ fix s/bool/u8/;s/false/0/
//! A peer's bytes may be no `bool`, laid out or not.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut flags = [false; 9];
    let column = Layout::<bool>::element().vector(3, 1, 3)?;
    world.recv_into(&mut column.of_mut(&mut flags)?, 0, 0)?;
    Ok(())
}
