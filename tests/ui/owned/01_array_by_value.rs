//@ expect E0277
//@ expect: does not own a buffer that stays in place
//@ expect: would move with the request
//@ fix s/world.isend(\[1u8; 4\]/world.isend(Box::new([1u8; 4])/
//! An array moves with the request, under MPI's nose.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.isend([1u8; 4], 0, 0)?.wait()?;
    Ok(())
}
