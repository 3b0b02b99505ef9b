//@ expect E0271
//@ fix s/(&buf, 2/(\&mut buf, 2/;s/let buf/let mut buf/
//! Partitions are written: a shared borrow cannot be lent to them.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let buf = [0u64; 4];
    world.scope(|s| {
        s.psend_init(&buf, 2, 0, 0)?.start()?.wait()
    })
}
