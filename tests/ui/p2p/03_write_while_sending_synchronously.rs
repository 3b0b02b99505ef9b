//@ expect E0506
//@ fix /buf\[0\]/d
//! The message is read until the request is complete.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0; 4];
    world.scope(|s| {
        let request = s.issend(&buf, 0, 0)?;
        buf[0] = 1;
        request.wait()?;
        Ok(())
    })
}
