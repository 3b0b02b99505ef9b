//@ expect E0502
//@ fix s/message.push(&2u8)?;//
//! A message that is read does not move.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut message = world.pack();
    message.push(&1u8)?;
    let mut pieces = message.unpack();
    message.push(&2u8)?;
    pieces.next::<u8>().map(drop)
}
