//@ expect E0499
//@ fix s/let b = .*//;s/drop((a, b))/drop(a)/
//! Two holders of one partition.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init([0u64; 4], 2, 0, 0)?;
    let mut filling = send.start()?;
    let a = filling.partitions().next();
    let b = filling.partitions().next();
    drop((a, b));
    filling.wait()
}
