//@ expect E0277
//@ fix s/Source::ANY, 0)/1, 0)/
//! Only receives and probes take any source.
#[allow(unused)]
use mpi::Source;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.bsend(&1, Source::ANY, 0)
}
