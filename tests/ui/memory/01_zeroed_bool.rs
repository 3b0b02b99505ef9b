//@ expect E0277
//@ expect: not every bit pattern is a `bool`
//@ fix s/zeroed::<bool>(3)/copied(\&[false; 3])/
//! Memory that a peer may fill has a type of which every bit pattern is a value.
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    mpi::alloc::zeroed::<bool>(3).map(drop)
}
