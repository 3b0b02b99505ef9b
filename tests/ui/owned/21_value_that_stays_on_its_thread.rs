//@ expect E0277
//@ expect: cannot be sent between threads safely
//@ fix s/std::rc::Rc<u8>/std::sync::Arc<u8>/
//! A completer that goes to other threads brings values from there.
fn main() -> mpi::Result<()> {
    let world = mpi::Builder::new().threads(mpi::ThreadLevel::Multiple).init()?;
    let (request, completer) = world.grequest_start::<std::rc::Rc<u8>>()?;
    let completer = completer.anywhere()?;
    std::thread::spawn(move || completer.complete(Default::default()).is_ok());
    request.wait()?;
    Ok(())
}
