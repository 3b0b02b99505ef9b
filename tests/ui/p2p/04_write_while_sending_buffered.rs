//@ expect E0506
//@ fix s/s.ibsend(&buf, 0, 0)?/world.bsend(\&buf, 0, 0)?/
//! Nonblocking buffered sends copy when they like; blocking ones have copied when they return.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0; 4];
    world.scope(|s| {
        let _request = s.ibsend(&buf, 0, 0)?;
        buf[0] = 1;
        Ok(())
    })
}
