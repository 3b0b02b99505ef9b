//@ expect E0597
//@ fix /let matrix = /d;s/let column/let matrix = [0u32; 9]; let column/
//! A layout applied to a slice borrows it.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let column = Layout::<u32>::element().vector(3, 1, 3)?;
    let view;
    {
        let matrix = [0u32; 9];
        view = column.of(&matrix)?;
    }
    world.send(&view, 0, 0)
}
