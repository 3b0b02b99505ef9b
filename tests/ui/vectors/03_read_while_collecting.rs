//@ expect E0502
//@ fix /println/d
//! Reading blocks while they are written.
use mpi::buffer::{Counts, WithCounts};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let counts = Counts::even(8, world.size())?;
    let mut all = [0u8; 8];
    world.scope(|s| {
        let request = s.iallgatherv_in_place(all.with_counts_mut(&counts))?;
        println!("{}", all[0]);
        request.wait()?;
        Ok(())
    })
}
