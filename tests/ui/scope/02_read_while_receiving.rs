//@ expect E0502
//@ fix /println/d
//! Reading a receive buffer in flight.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let r = s.irecv(&mut buf, 0, 0)?;
        println!("{}", buf[0]);
        r.wait()?;
        Ok(())
    })
}
