//@ expect E0502
//@ fix /println/d
//! The result of a started collective.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut total = world.allreduce_init([1.0f64; 3], [0.0; 3], Sum)?;
    let started = total.start()?;
    println!("{:?}", total.result()?);
    started.wait()
}
