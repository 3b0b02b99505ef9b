//@ expect E0505
//@ fix /filling.wait()?;/d;s/drop(p);/drop(p); filling.wait()?;/
//! Completing while somebody can still write a partition of borrowed memory.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u64; 4];
    world.scope(|s| {
        let mut send = s.psend_init(&mut buf, 2, 0, 0)?;
        let mut filling = send.start()?;
        let p = filling.partitions().next();
        filling.wait()?;
        drop(p);
        Ok(())
    })
}
