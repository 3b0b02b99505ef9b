//@ expect E0277
//@ fix s/\[false; 3\]/[0u8; 3]/
//! The bytes of a message may be no `bool`: such values are unpacked by value, which checks them.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let message = world.recv_packed::<mpi::pack::Bare>(0, 0)?.data;
    message.unpack().next_into(&mut [false; 3])
}
