//@ expect E0277
//@ fix s/&column.of(&matrix)?/\&matrix/
//! Reductions take what is contiguous.
use mpi::datatype::Layout;
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let matrix = [0u32; 9];
    let column = Layout::<u32>::element().vector(3, 1, 3)?;
    println!("{:?}", column.of(&matrix)?);
    world.allreduce(&column.of(&matrix)?, Sum)?;
    Ok(())
}
