//@ expect E0277
//@ fix s/move || layout.len()/|| 3/
//! A layout has a handle of MPI, and stays on its thread.
use mpi::datatype::Layout;
fn main() -> mpi::Result<()> {
    let layout = Layout::<u8>::element().contiguous(3)?;
    println!("{layout:?}");
    std::thread::spawn(move || layout.len());
    Ok(())
}
