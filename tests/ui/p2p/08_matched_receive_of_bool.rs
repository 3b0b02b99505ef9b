//@ expect E0277
//@ expect: every bit pattern of `T` is valid
//@ fix s/let mut flags = .*$/let flags;/;s/message.recv_into(&mut flags\[..\])?;/flags = message.recv_vec::<bool>()?.data;/
//! A peer's bytes may be no `bool`: they are checked, so they are received into a new vector.
#[allow(unused)]
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let message = world.mprobe(0, 0)?;
    let mut flags = [false; 4];
    message.recv_into(&mut flags[..])?;
    Ok(())
}
