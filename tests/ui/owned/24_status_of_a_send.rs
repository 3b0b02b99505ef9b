//@ expect E0277
//@ fix s/get_status()?.is_some()/is_complete()?/
//! A send has no status: it can only be complete.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let send = world.isend(vec![1u8], 0, 0)?;
    while !send.get_status()?.is_some() {}
    send.wait()?;
    Ok(())
}
