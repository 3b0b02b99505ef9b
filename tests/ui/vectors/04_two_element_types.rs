//@ expect E0308
//@ fix s/0.0f32/0.0f64/
//! What is sent and what is received are of one type: MPI would not notice.
use mpi::buffer::{Counts, WithCounts};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let counts = Counts::even(8, world.size())?;
    let (send, mut recv) = ([1.0f64; 8], [0.0f32; 8]);
    world.alltoallv_into(send.with_counts(&counts), recv.with_counts_mut(&counts))
}
