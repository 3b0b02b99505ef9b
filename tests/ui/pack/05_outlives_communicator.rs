//@ expect E0505
//@ fix s/drop(world);//
//! What was packed is for one communicator, which must exist to read it.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut message = world.pack();
    drop(world);
    message.push(&1u8).map(drop)
}
