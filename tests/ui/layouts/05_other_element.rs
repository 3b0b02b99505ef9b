//@ expect E0308
//@ fix s/0i32; 9/0u32; 9/
//! A layout is one of elements of a type, and its numbers mean those.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let matrix = [0i32; 9];
    let column = Layout::<u32>::element().vector(3, 1, 3)?;
    world.send(&column.of(&matrix)?, 0, 0)
}
