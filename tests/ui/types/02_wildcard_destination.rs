//@ expect E0277
//@ fix s/Source::ANY/0/
//! A message goes to one rank, not to any.
#[allow(unused_imports)]
use mpi::Source;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&1, Source::ANY, 0)
}
