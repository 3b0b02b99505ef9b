//@ expect E0382
//@ fix s/p.ready(); p\[0\] = 1;/p[0] = 1; p.ready();/
//! Writing a partition after it was made ready.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init([0u64; 4], 2, 0, 0)?;
    let mut filling = send.start()?;
    for mut p in filling.partitions() { p.ready(); p[0] = 1; }
    filling.wait()
}
