//@ expect E0277
//@ expect: Form
//@ fix s/recv_packed::<u8>/recv_packed::<mpi::pack::External>/
//! There are three forms, and no other.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.recv_packed::<u8>(0, 0).map(drop)
}
