//@ expect E0597
//@ expect: 'static
//@ fix s/Counted::new(&values\[..\], /Counted::new(values, /
//! A request that owns its buffers owns no borrow.
use mpi::buffer::{Counted, Counts};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let counts = Counts::even(8, world.size())?;
    let (values, room) = (vec![1.0; 8], vec![0.0; 8]);
    let room = Counted::new(room, counts.clone());
    std::mem::forget(world.ialltoallv(Counted::new(&values[..], counts), room)?);
    Ok(())
}
