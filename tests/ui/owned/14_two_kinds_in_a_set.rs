//@ expect E0308
//@ fix s/set.push(world.isend(vec!\[1u8\], 0, 0)?)/set.push(world.irecv(vec![1u8], 0, 0)?)/
//! What completion gives back differs: sends and receives are two sets.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut set = mpi::request::PendingSet::new();
    set.push(world.irecv(vec![0u8], 0, 0)?);
    set.push(world.isend(vec![1u8], 0, 0)?);
    set.wait_all()?;
    Ok(())
}
