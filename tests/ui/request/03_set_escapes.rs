//@ expect E0521
//@ fix s/keep = Some(set)/keep = Some(set.len())/
//! A set leaves its scope.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut keep = None;
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        set.push(s.ibarrier()?);
        keep = Some(set);
        Ok(())
    })
}
