//@ expect E0499
//@ fix s/let next = set.any();/let _ = set.any();/;s/next;/();/
//! A future of the next one borrows the set.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut set = mpi::request::PendingSet::new();
    let next = set.any();
    set.push(world.irecv(vec![0u8], 0, 0)?);
    next;
    Ok(())
}
