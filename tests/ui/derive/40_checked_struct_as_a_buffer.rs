//@ expect E0277
//@ expect: `[S]` cannot be lent to MPI for receiving
//@ fix s/world.recv_into(&mut \[S(true); 4\]\[..\], 0, 0)/world.recv_vec::<S>(0, 0)/
//! What is checked is received by value or into a new vector.
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
struct S(bool);
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.recv_into(&mut [S(true); 4][..], 0, 0)?;
    let _ = |s: S| s.0;
    Ok(())
}
