//@ expect E0277
//@ fix s/mpi::Source::ANY/0/
//! A partitioned receive from anybody: the standard has no wildcards here.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.precv_init([0u64; 4], 2, mpi::Source::ANY, 0)?;
    Ok(())
}
