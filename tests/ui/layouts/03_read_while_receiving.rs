//@ expect E0502
//@ fix s/println!("{}", matrix\[1\])/println!()/
//! The whole slice is lent, with what the layout leaves out.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut matrix = [0u32; 9];
    let column = Layout::<u32>::element().vector(3, 1, 3)?;
    world.scope(|s| {
        let receive = s.irecv(column.of_mut(&mut matrix)?, 0, 0)?;
        println!("{}", matrix[1]);
        receive.wait().map(drop)
    })
}
