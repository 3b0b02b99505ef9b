//@ expect E0599
//@ fix s/Bare/Labelled/
//! Only a label says how long a piece is.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let message = world.recv_packed::<mpi::pack::Bare>(0, 0)?.data;
    message.unpack().next_vec::<u8>().map(drop)
}
