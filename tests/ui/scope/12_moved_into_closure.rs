//@ expect E0597
//@ fix s/move |s|/|s|/
//! A buffer the closure owns dies with the closure, not with the scope.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = vec![0u8; 4];
    world.scope(move |s| { let _ = s.irecv(&mut buf, 0, 0)?; Ok(()) })
}
