//@ expect E0277
//@ fix s/std::thread::scope.*/r.wait()?;/
//! A request moves to another thread.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let r = s.irecv(&mut buf, 0, 0)?;
        std::thread::scope(|t| { t.spawn(move || r.wait().map(|_| ())); });
        Ok(())
    })
}
