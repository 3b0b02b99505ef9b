//@ expect E0277
//@ expect: cannot be sent over MPI
//@ fix s/Pair("a", "b")/Pair(1, 2)/
//! A generic type can be sent if its fields can.
#[derive(Clone, Copy, mpi::Datatype)]
struct Pair<T>(T, T);
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&Pair("a", "b"), 0, 0)?;
    let _ = |p: Pair<u8>| (p.0, p.1);
    Ok(())
}
