//@ expect E0382
//@ fix s/test_all(requests)?;/test_all(requests)?; let Test::Pending(requests) = found else { return Ok(()) };/
//! `test_all` gives the requests back, or what they lent: not both.
use mpi::request::{Test, test_all};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = Test::<(), ()>::Done(());
    world.scope(|s| {
        let requests = [s.ibarrier()?, s.ibarrier()?];
        let found = test_all(requests)?;
        mpi::wait_all(requests)?;
        Ok(())
    })
}
