//@ expect E0599
//@ fix s/cancel/wait/
//! Cancelling sends is deprecated since MPI 4.0, and not offered.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.isend(vec![1u8], 0, 0)?.cancel()?;
    Ok(())
}
