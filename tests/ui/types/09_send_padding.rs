//@ expect E0277
//@ expect: a type with padding
//@ fix s/(1u8, 2u64)/2u64/
//! A tuple has padding, which is not initialized.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&[(1u8, 2u64)], 0, 0)
}
