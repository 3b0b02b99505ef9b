//@ expect E0133
//@ expect: irsend
//@ fix s/s.irsend(/s.issend(/
//! Only the caller can know that a receive is posted.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| s.irsend(&1, 0, 0)?.wait().map(|_| ()))
}
