//@ expect E0499
//@ fix s/filling.ready(0..1)?;//;s/drop(p);/drop(p); filling.ready(1..2)?;/
//! Making a partition ready that somebody can still write.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut send = world.psend_init([0u64; 4], 2, 0, 0)?;
    let mut filling = send.start()?;
    let p = filling.partitions().next();
    filling.ready(0..1)?;
    drop(p);
    filling.wait()
}
