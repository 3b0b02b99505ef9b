//@ expect E0277
//@ expect: a type with padding
//@ fix s/vec!\[(1u8, 2u32)\]/vec![1u32, 2]/
//! A tuple has padding, which is not initialized.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.isend(vec![(1u8, 2u32)], 0, 0)?.wait()?;
    Ok(())
}
