//@ expect E0277
//@ expect: cannot be received over MPI
//@ fix s/next::<&u8>/next::<u8>/
//! An address means nothing to another process.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let message = world.recv_packed::<mpi::pack::Labelled>(0, 0)?.data;
    message.unpack().next::<&u8>().map(drop)
}
