//@ expect E0597
//@ fix s/let counts = Counts::even(8, world.size())?;/let counts = \&*s.keep(Counts::even(8, world.size())?);/; s/(&counts)/(counts)/
//! MPI keeps the arrays of counts until the operation is complete.
use mpi::buffer::{Counts, WithCounts};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut all = [0u8; 8];
    world.scope(|s| {
        let counts = Counts::even(8, world.size())?;
        s.iallgatherv_in_place(all.with_counts_mut(&counts))?.defer();
        Ok(())
    })
}
