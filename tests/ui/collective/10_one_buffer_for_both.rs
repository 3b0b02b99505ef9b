//@ expect E0502
//@ fix s/allreduce_into(\&x, \&mut x, Sum)/allreduce_in_place(\&mut x, Sum)/
//! MPI forbids buffers that overlap; there is another call for this.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut x = [1.0; 4];
    world.allreduce_into(&x, &mut x, Sum)
}
