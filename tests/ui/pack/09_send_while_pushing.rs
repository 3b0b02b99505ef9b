//@ expect E0502
//@ fix s/message.push(&2u8)?;//
//! A message in flight is not added to.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut message = world.pack();
    message.push(&1u8)?;
    world.scope(|s| {
        let sent = s.isend(&message, 0, 0)?;
        message.push(&2u8)?;
        sent.wait().map(drop)
    })
}
