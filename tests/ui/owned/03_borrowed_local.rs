//@ expect E0597
//@ expect: 'static
//@ fix s/world.isend(&values\[..\], 0, 0)/world.isend(values, 0, 0)/
//! A borrow that ends before a forgotten request would.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let values = vec![1.0; 8];
    let request = world.isend(&values[..], 0, 0)?;
    std::mem::forget(request);
    Ok(())
}
