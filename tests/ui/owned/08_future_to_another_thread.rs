//@ expect E0277
//@ expect: cannot be sent between threads safely
//@ fix s/fn spawn<F: Future + Send + 'static>/fn spawn<F: Future + 'static>/
//! An executor that moves tasks between threads cannot have it; a local one can.
fn spawn<F: Future + Send + 'static>(_: F) {}
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    spawn(world.irecv(vec![0u8; 4], 0, 0)?);
    Ok(())
}
