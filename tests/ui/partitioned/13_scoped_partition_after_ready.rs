//@ expect E0382
//@ fix s/p.ready(); p\[0\] = 1;/p[0] = 1; p.ready();/
//! Writing a partition of borrowed memory after it was made ready.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u64; 4];
    world.scope(|s| {
        let mut send = s.psend_init(&mut buf, 2, 0, 0)?;
        let mut filling = send.start()?;
        for mut p in filling.partitions() { p.ready(); p[0] = 1; }
        filling.wait()
    })
}
