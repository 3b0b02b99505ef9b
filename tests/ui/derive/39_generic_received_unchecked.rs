//@ expect E0277
//@ fix s/false, true/1u8, 2/
//! And lent for receiving if they can.
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct Pair<T>(T, T);
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.bcast(&mut Pair(false, true), 0)?;
    let _ = |p: Pair<u8>| (p.0, p.1);
    Ok(())
}
