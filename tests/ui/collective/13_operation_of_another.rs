//@ expect E0277
//@ fix s/\&1u64, Mine/\&1u64, mpi::op::Sum/
//! Which handle an operation has, and for which types it is defined, is this crate's claim alone.
#[derive(Clone, Copy)]
struct Mine;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.reduce(&1u64, Mine, 0).map(|_| ())
}
