//@ expect E0277
//@ fix s/false; 4/0u8; 4/
//! A peer's bytes may be no `bool`.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut flags = [false; 4];
    world.bcast(&mut flags, 0)
}
