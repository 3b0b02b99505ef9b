//@ expect E0277
//@ fix s/filling.wait()/1/
//! Waiting on a thread that may not call MPI: only partitions change threads.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init([0u64; 4], 2, 0, 0)?;
    let filling = send.start()?;
    std::thread::scope(|threads| { threads.spawn(move || { let _ = filling.wait(); }); });
    Ok(())
}
