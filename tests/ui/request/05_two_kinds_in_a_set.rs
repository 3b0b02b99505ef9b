//@ expect E0308
//@ fix s/s.irecv(&mut buf, 0, 0)?/s.irecv(\&mut buf, 0, 0)?.map(|_| ()).boxed()/;s/s.isend(&1u8, 0, 0)?/s.isend(\&1u8, 0, 0)?.map(|_| ()).boxed()/
//! A set holds requests of one kind; others are mapped to one output and boxed.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = 0u8;
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        set.push(s.irecv(&mut buf, 0, 0)?);
        set.push(s.isend(&1u8, 0, 0)?);
        set.wait_all()?;
        Ok(())
    })
}
