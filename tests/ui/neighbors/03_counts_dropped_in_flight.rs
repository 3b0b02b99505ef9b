//@ expect E0597
//@ fix s/let counts = Counts/let counts = s.keep(Counts/; s/3\])?;/3])?);/; s/(&counts)/(counts)/
//! MPI reads the counts until the exchange is complete.
use mpi::buffer::{Counts, WithCounts};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let ring = world.cartesian(&[world.size()], &[true], false)?.expect("a place");
    let (mine, mut theirs) = ([0.5; 3], [0.0; 6]);
    ring.scope(|s| {
        let exchange = {
            let counts = Counts::new(&[3, 3])?;
            s.ineighbor_allgatherv(&mine, theirs.with_counts_mut(&counts))?
        };
        exchange.wait().map(drop)
    })
}
