//@ expect E0597
//@ fix s/let counts = Counts::even(10, 1)?; \/\/ inside//;s/world.scope(|s| {/let counts = Counts::even(10, 1)?;\n    world.scope(|s| {/
//! MPI reads the counts until the reduction is complete.
use mpi::{buffer::Counts, op::Sum};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (mine, mut part) = ([1.0; 10], [0.0; 10]);
    world.scope(|s| {
        let counts = Counts::even(10, 1)?; // inside
        s.ireduce_scatter(&mine, &mut part, &counts, Sum)?.defer();
        Ok(())
    })
}
