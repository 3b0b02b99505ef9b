//@ expect E0277
//@ expect: cannot be sent over MPI
//@ fix s/Box::new(1)/1u8/
//! What owns other memory is not copied as bytes.
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    mpi::alloc::copied(&[Box::new(1)]).map(drop)
}
