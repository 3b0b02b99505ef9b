//@ expect E0499
//@ fix s/let b = .*//;s/drop((a, b))/drop(a)/
//! Two holders of one partition of borrowed memory.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u64; 4];
    world.scope(|s| {
        let mut send = s.psend_init(&mut buf, 2, 0, 0)?;
        let mut filling = send.start()?;
        let a = filling.partitions().next();
        let b = filling.partitions().next();
        drop((a, b));
        filling.wait()
    })
}
