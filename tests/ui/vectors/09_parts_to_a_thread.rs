//@ expect E0277
//@ fix s/std::thread::spawn(move || drop(parts)).join().ok();/drop(parts);/
//! A list of parts has MPI types, which are freed on MPI's thread.
use mpi::buffer::Parts;
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    let parts: Parts<'static> = Parts::new()?;
    std::thread::spawn(move || drop(parts)).join().ok();
    Ok(())
}
