//@ expect E0277
//@ expect: does not define this operation for `f64`
//@ fix s/1\.5f64/15u64/
//! The standard gives floats no bits; a library might combine them all the same.
use mpi::op::BitXor;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.reduce(&1.5f64, BitXor, 0).map(|_| ())
}
