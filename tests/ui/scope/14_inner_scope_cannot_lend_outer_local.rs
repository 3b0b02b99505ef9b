//@ expect E0597
//@ fix /let mut buf/d;s/world.scope(|outer|/let mut buf = [0u8; 4]; world.scope(|outer|/
//! A request on the outer scope may not borrow from inside an inner one.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|outer| {
        world.scope(|_inner| {
            let mut buf = [0u8; 4];
            let _ = outer.irecv(&mut buf, 0, 0)?;
            Ok(())
        })
    })
}
