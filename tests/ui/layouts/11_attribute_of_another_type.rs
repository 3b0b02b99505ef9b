//@ expect E0308
//@ fix s/"kelvin"/273.15/
//! A key has one type of values.
use mpi::datatype::{Key, Layout};
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    let column = Layout::<u32>::element().vector(3, 1, 3)?;
    let zero = Key::<f64>::new()?;
    column.set_attr(&zero, "kelvin")
}
