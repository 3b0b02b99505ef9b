//@ expect E0277
//@ fix s/std::thread::spawn(move || key).join().unwrap()/key/
//! A key is MPI's, which frees it on the thread that may call it.
use mpi::datatype::Key;
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    let key = Key::<u8>::new()?;
    drop(std::thread::spawn(move || key).join().unwrap());
    Ok(())
}
