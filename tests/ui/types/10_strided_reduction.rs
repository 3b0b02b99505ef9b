//@ expect E0277
//@ expect: contiguous
//@ fix s/&column/\&matrix/
//! A reduction's operations know basic types only: no columns.
use mpi::{buffer::Strided, op::Sum};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let matrix = [0.0; 12];
    let column = Strided::new(&matrix, 1, 3, 1, 4)?;
    let mut sums = [0.0; 12];
    let _ = column;
    world.allreduce_into(&column, &mut sums, Sum)
}
