//@ expect E0277
//@ fix s/drop(s.isend(&1u8, 0, 0));//
//! A function that MPI calls could post in a scope.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        let op = from_fn(move |a: u64, b| {
            drop(s.isend(&1u8, 0, 0));
            a + b
        });
        s.comm().allreduce(&1u64, &op)?;
        Ok(())
    })
}
