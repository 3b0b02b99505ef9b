//@ expect E0277
//@ expect: cannot be sent between threads safely
//@ fix s/move || drop(memory)/|| ()/
//! Memory is given back by a call of MPI, on the thread that may make it.
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    let memory = mpi::alloc::zeroed::<u8>(3)?;
    std::thread::spawn(move || drop(memory));
    Ok(())
}
