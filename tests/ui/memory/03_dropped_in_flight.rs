//@ expect E0505
//@ fix s/drop(memory);//
//! Memory that is lent is not freed.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let memory = mpi::alloc::zeroed::<u8>(3)?;
    world.scope(|s| {
        let sent = s.isend(&memory, 0, 0)?;
        drop(memory);
        sent.wait().map(|_| ())
    })
}
