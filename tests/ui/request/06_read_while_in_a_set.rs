//@ expect E0502
//@ fix /println/d
//! A buffer is MPI's while its request is in a set.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        set.push(s.irecv(&mut buf, 0, 0)?);
        println!("{}", buf[0]);
        set.wait_all()?;
        Ok(())
    })
}
