//@ expect E0277
//@ expect: cannot be lent to MPI for sending
//@ fix s/&Padded(1, 2)/\&1u8/
//! What cannot be sent cannot be packed: padding is not initialized.
#[derive(Clone, Copy)]
struct Padded(u8, u32);
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.pack().push(std::slice::from_ref(&Padded(1, 2))).map(drop)
}
