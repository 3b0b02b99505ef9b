//@ expect E0277
//@ fix s/t.spawn(|| world.barrier());/world.barrier()?; let _ = t;/;s/mpi::Result<()> {$/mpi::Result<()> {/
//! A communicator stays on its thread, with every MPI library.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    std::thread::scope(|t| -> mpi::Result<()> { t.spawn(|| world.barrier()); Ok(()) })
}
