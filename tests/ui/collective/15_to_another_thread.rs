//@ expect E0277
//@ fix s/std::thread::spawn(move || \(.*\));/{ \1; }/
//! Where `MPI_Request` is an `int` nothing but this crate keeps it on its thread.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let barrier = world.ibarrier()?;
    std::thread::spawn(move || drop(barrier));
    Ok(())
}
