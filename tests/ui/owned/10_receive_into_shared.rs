//@ expect E0277
//@ expect: is shared
//@ fix s/std::sync::Arc::<\[u8\]>::from(vec!\[0; 4\])/vec![0u8; 4]/
//! Others may read what is shared; MPI would write it.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.irecv(std::sync::Arc::<[u8]>::from(vec![0; 4]), 0, 0)?.wait()?;
    Ok(())
}
