//@ expect E0521 E0597
//@ fix s/let mut set = RequestSet::new(outer);//;s/let request = inner/let mut set = RequestSet::new(inner); let request = inner/
//! An outer scope's set adopts an inner scope's request, so nobody completes it in time.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|outer| {
        let mut set = RequestSet::new(outer);
        let buf = [1u64, 2];
        world.scope(|inner| {
            let request = inner.isend(&buf, 0, 1)?;
            set.push(request);
            Ok(())
        })
    })
}
