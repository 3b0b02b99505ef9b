//@ expect E0277
//@ expect: cannot be shared between threads safely
//@ fix s/Cell::new(0)/AtomicU64::new(0)/;s/calls.set(calls.get() + 1)/calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed)/;s/cell::Cell/sync::atomic::AtomicU64/
//! A thread of MPI's own may call the function.
use mpi::op::from_fn;
use std::cell::Cell;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let calls = Cell::new(0);
    let op = from_fn(move |a: u64, b| {
        calls.set(calls.get() + 1);
        a + b
    });
    let _ = world.allreduce(&1u64, &op)?;
    Ok(())
}
