//@ expect E0277
//@ fix s/std::thread::scope.*/set.wait_all()?;/
//! A set moves to another thread.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        set.push(s.ibarrier()?);
        std::thread::scope(|t| { t.spawn(move || set.wait_all().map(drop)); });
        Ok(())
    })
}
