//@ expect E0277
//@ expect: not every bit pattern is a `char`
//@ fix s/precv_init/psend_init/
//! Receiving arbitrary bytes as `char`.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.precv_init(['a'; 4], 2, 0, 0)?;
    Ok(())
}
