//@ expect E0373
//@ fix s/on_cancel(||/on_cancel(move ||/
//! A request that is forgotten keeps its function for ever.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (request, _completer) = world.grequest_start::<u8>()?;
    let wanted = std::rc::Rc::new(std::cell::Cell::new(false));
    std::mem::forget(request.on_cancel(|| wanted.set(true)));
    Ok(())
}
