//@ expect E0277
//@ expect: is not a contiguous buffer
//@ fix s/\&column/\&matrix/; s/\[0\.0; 4\]/[0.0; 16]/
//! An operation knows basic types only; a view is of a derived one.
use mpi::buffer::Strided;
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let matrix = [1.0; 16];
    let column = Strided::new(&matrix, 0, 4, 1, 4)?;
    world.allreduce_into(&column, &mut [0.0; 4], Sum)
}
