//@ expect E0308
//@ fix s/\.map(drop));/.map(drop).boxed());/
//! One output is not one type: boxes are.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut set = mpi::request::PendingSet::new();
    set.push(world.irecv(vec![0u8], None, 0)?.map(drop));
    set.push(world.isend(vec![1u8], None, 0)?.map(drop));
    set.wait_all()?;
    Ok(())
}
