//@ expect E0277
//@ fix s/t.spawn(move || status.count::<u8>());/let _ = (t, status.count::<u8>());/
//! Asking a status for its count asks MPI: it stays on the thread.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let status = world.probe(0, 0)?;
    std::thread::scope(|t| { t.spawn(move || status.count::<u8>()); });
    Ok(())
}
