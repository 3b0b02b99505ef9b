//@ expect E0277
//@ expect: cannot be sent between threads safely
//@ fix s/std::thread::spawn(move || request.wait().is_ok()).join().expect("no panic")/request.wait().is_ok()/
//! A request stays on its thread, with every MPI.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let request = world.irecv(vec![0u8; 4], 0, 0)?;
    let done = std::thread::spawn(move || request.wait().is_ok()).join().expect("no panic");
    println!("{done}");
    Ok(())
}
