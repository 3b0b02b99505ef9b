//@ expect E0507
//@ fix s/drop(token);//
//! The function is called for each pair of elements.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let token = String::new();
    let op = from_fn(move |a: u64, b: u64| {
        drop(token);
        a + b
    });
    let _ = world.allreduce(&1u64, &op)?;
    Ok(())
}
