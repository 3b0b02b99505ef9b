//@ expect E0133
//@ expect: rsend
//@ fix s/world.rsend(&1, 0, 0)/world.send(\&1, 0, 0)/
//! Only the caller can know that a receive is posted.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.rsend(&1, 0, 0)
}
