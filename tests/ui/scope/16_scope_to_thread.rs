//@ expect E0277
//@ fix s/t.spawn(move || s.ibarrier().map(|_| ()));/s.ibarrier()?.defer();/
//! The scope moves to another thread.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        std::thread::scope(|t| { let _ = t; t.spawn(move || s.ibarrier().map(|_| ())); Ok(()) })
    })
}
