//@ expect E0277
//@ expect: cannot be sent between threads safely
//@ fix s/std::thread::spawn(move || drop(op)).join().expect("no panic")/drop(op)/
//! An operation is freed where it was made.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let _world = mpi::init()?;
    let op = from_fn(|a: u64, b| a + b);
    std::thread::spawn(move || drop(op)).join().expect("no panic");
    Ok(())
}
