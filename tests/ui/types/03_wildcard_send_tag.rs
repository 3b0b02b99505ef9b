//@ expect E0277
//@ fix s/Tag::ANY/0/
//! Only receives and probes take any tag.
#[allow(unused_imports)]
use mpi::Tag;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&1, 0, Tag::ANY)
}
