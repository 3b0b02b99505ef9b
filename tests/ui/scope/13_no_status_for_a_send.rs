//@ expect E0609
//@ fix s/done.status/done[0]/
//! A send has no status to look at.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| { let done = s.isend(&[1u8], 0, 0)?.wait()?; let _ = done.status; Ok(()) })
}
