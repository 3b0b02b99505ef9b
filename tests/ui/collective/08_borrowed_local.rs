//@ expect E0597
//@ fix s/\&x\[\.\.\]/vec![1u64, 2]/
//! An owned request may outlive every frame.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let pending = {
        let x = vec![1u64, 2];
        world.iallgather(&x[..], vec![0; 2 * world.size()])?
    };
    pending.wait()?;
    Ok(())
}
