//@ expect E0271
//@ fix s/0f32; 4/0f64; 4/
//! Send, receive and operation of a reduction share one element type.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut y = [0f32; 4];
    world.allreduce_into(&[1f64; 4], &mut y, Sum)
}
