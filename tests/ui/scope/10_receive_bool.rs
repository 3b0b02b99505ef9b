//@ expect E0277
//@ expect: every bit pattern of `T` is valid
//@ fix s/false; 4/0u8; 4/
//! Receiving arbitrary bytes as `bool`.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [false; 4];
    world.scope(|s| { let _ = s.irecv(&mut buf[..], 0, 0)?; Ok(()) })
}
