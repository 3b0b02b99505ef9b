//@ expect E0597
//@ fix s/count.set(1)/drop(1)/
//! What a mapped request calls lives as long as the request.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let boxed = {
        let count = std::cell::Cell::new(0);
        world.irecv(vec![0u8], None, 0)?.map(|_| count.set(1)).boxed()
    };
    boxed.wait()?;
    Ok(())
}
