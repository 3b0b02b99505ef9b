//@ expect E0382
//@ fix s/request.wait()/set.wait_all()/
//! A request that went into a set is waited for by the set.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        let request = s.irecv(&mut buf, 0, 0)?;
        set.push(request);
        request.wait()?;
        Ok(())
    })
}
