//@ expect E0597
//@ fix s/^    let total = {/    let copy = world.dup()?; let total = {/; /let copy = world.dup()?;$/d
//! A persistent collective borrows its communicator.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let total = {
        let copy = world.dup()?;
        copy.allreduce_init([1.0f64; 3], [0.0; 3], Sum)?
    };
    total.into_inner().map(drop)
}
