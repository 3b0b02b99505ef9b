//@ expect E0277
//@ expect: cannot be sent between threads safely
//@ fix s/let (request, completer) = world.grequest_start::<u8>()?;/let (request, completer) = world.grequest_start::<u8>()?; let completer = completer.anywhere()?;/
//! Completing calls MPI: from another thread only where MPI allows it, which `anywhere` finds out.
fn main() -> mpi::Result<()> {
    let world = mpi::Builder::new().threads(mpi::ThreadLevel::Multiple).init()?;
    let (request, completer) = world.grequest_start::<u8>()?;
    std::thread::spawn(move || completer.complete(1).is_ok());
    request.wait()?;
    Ok(())
}
