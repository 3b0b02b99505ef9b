//@ expect E0499
//@ fix s/let (mut a, mut b).*$/let (left, right) = matrix.split_at_mut(6); let (mut a, mut b) = (column.of_mut(left)?, column.of_mut(right)?);/
//! Two layouts of one slice may name the same element, so both cannot be received into at once.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut matrix = [0u32; 12];
    let column = Layout::<u32>::element().vector(3, 1, 2)?;
    let (mut a, mut b) = (column.of_mut(&mut matrix)?, column.of_mut(&mut matrix[1..])?);
    world.recv_into(&mut a, 0, 0)?;
    world.recv_into(&mut b, 0, 0)?;
    Ok(())
}
