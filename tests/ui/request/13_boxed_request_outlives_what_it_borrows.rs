//@ expect E0597
//@ fix s/move |_| log.push(1)/move |_| drop(1)/
//! What a request's function borrows lives as long as the request.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        {
            let mut log = vec![0];
            let log = &mut log;
            set.push(s.ibarrier()?.map(move |_| log.push(1)).boxed());
        }
        set.wait_all()?;
        Ok(())
    })
}
