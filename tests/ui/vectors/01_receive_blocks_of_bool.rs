//@ expect E0277
//@ fix s/\[true\]/[1u8]/; s/false; /0u8; /
//! A peer's bytes may be no `bool`.
use mpi::buffer::{Counts, WithCounts};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let counts = Counts::new(&vec![1; world.size()])?;
    let mut flags = vec![false; counts.span()];
    world.allgatherv_into(&[true], flags.with_counts_mut(&counts))
}
