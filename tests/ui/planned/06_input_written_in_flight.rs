//@ expect E0499
//@ fix s/total.input_mut()?\[0\] = 2.0;//
//! MPI reads the input until the collective is complete.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut total = world.allreduce_init([1.0f64; 3], [0.0; 3], Sum)?;
    let started = total.start()?;
    total.input_mut()?[0] = 2.0;
    started.wait()
}
