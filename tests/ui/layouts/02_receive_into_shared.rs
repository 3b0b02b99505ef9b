//@ expect E0277
//@ fix s/column.of(&matrix)/column.of_mut(\&mut matrix)/
//! What `of` gives can be sent only.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut matrix = [0u32; 9];
    matrix[0] = 1;
    let column = Layout::<u32>::element().vector(3, 1, 3)?;
    world.recv_into(&mut column.of(&matrix)?, 0, 0)?;
    Ok(())
}
