//@ expect E0597
//@ fix s/let mut buf = \[0u8; 4\];/let buf = s.keep([0u8; 4]);/;s/irecv(&mut buf/irecv(buf/
//! A set does not keep a buffer that the body of a loop owns; the scope does.
use mpi::request::RequestSet;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        let mut set = RequestSet::new(s);
        for tag in 0..4 {
            let mut buf = [0u8; 4];
            set.push(s.irecv(&mut buf, 0, tag)?);
        }
        set.wait_all()?;
        Ok(())
    })
}
