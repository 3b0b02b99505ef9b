//@ expect E0277 E0599
//@ expect: the trait `Copy` is not implemented for `String`
//@ fix s/Key::<String>/Key::<\&'static str>/;s/String::from("kelvin")/"kelvin"/
//! MPI frees what stands on a type, where no destructor may run.
use mpi::datatype::{Key, Layout};
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    let column = Layout::<u32>::element().vector(3, 1, 3)?;
    let unit = Key::<String>::new()?;
    column.set_attr(&unit, String::from("kelvin"))
}
