//@ expect E0277
//@ expect: cannot be sent between threads safely
//@ fix s/world\.rank() as u64;/world.rank() as u64;/;s/world\.rank() as u64 + a/me + a/;s/op = from_fn/me = world.rank() as u64; let op = from_fn/
//! A function that MPI calls could call MPI.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let inner = world.dup()?;
    let op = from_fn(move |a: u64, b| world.rank() as u64 + a + b);
    let _ = inner.allreduce(&1u64, &op)?;
    Ok(())
}
