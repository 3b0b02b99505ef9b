//@ expect E0502
//@ fix s/alltoallv_into(both.with_counts(&counts), both/alltoallv_in_place(both/
//! What is received would overwrite what is sent: that is what `in_place` is for.
use mpi::buffer::{Counts, WithCounts};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let counts = Counts::even(8, world.size())?;
    let mut both = [1u8; 8];
    world.alltoallv_into(both.with_counts(&counts), both.with_counts_mut(&counts))
}
