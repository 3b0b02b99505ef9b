//@ expect E0277
//@ expect: does not define this operation for `S`
//@ fix s/S(1.0), Sum)?.0/[S(1.0).0], Sum)?[0]/
//! A struct of numbers is a row of numbers to MPI, but what its sum is, its author knows.
use mpi::op::Sum;
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct S(f64);
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.allreduce(&S(1.0), Sum)?.0;
    Ok(())
}
