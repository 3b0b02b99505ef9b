//@ expect E0382
//@ fix 0,/completer.complete(1)?;/{/completer.complete(1)?;/d}
//! A generalized request is completed once.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (request, completer) = world.grequest_start::<u8>()?;
    completer.complete(1)?;
    completer.complete(1)?;
    request.wait()?;
    Ok(())
}
