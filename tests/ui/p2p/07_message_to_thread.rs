//@ expect E0277
//@ expect: cannot be s
//@ fix s/threads.spawn(move || \(.*\));$/let _ = threads; \1;/
//! A message stays on the thread of its communicator.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let message = world.mprobe(0, 0)?;
    std::thread::scope(|threads| {
        threads.spawn(move || message.recv::<u8>().is_ok());
    });
    Ok(())
}
