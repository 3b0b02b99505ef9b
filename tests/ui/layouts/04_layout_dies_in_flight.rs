//@ expect E0597
//@ fix s/let column = Layout::<u32>::element().vector(3, 1, 3)?;/let column = s.keep(Layout::<u32>::element().vector(3, 1, 3)?);/
//! A layout that is made in a scope is kept there, for MPI's type is the layout's.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let matrix = [0u32; 9];
    world.scope(|s| {
        let column = Layout::<u32>::element().vector(3, 1, 3)?;
        s.isend(column.of(&matrix)?, 0, 0)?.defer();
        Ok(())
    })
}
