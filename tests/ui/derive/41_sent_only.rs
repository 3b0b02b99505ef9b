//@ expect E0277
//@ expect: `S` cannot be received over MPI
//@ fix s/mpi::Datatype)/mpi::Datatype, mpi::FromBits)/
//! Sending is not receiving.
#[derive(Clone, Copy, mpi::Datatype)]
struct S(u8);
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.recv::<S>(0, 0)?.data.0;
    Ok(())
}
