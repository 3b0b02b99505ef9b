//@ expect E0503
//@ fix s/&& buf\[0\] == 0//
//! Looking at a request does not give the buffer back.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let request = s.irecv(&mut buf, 0, 0)?;
        if request.get_status()?.is_some() && buf[0] == 0 {}
        request.wait()?;
        Ok(())
    })
}
