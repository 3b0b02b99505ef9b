//@ expect E0277
//@ expect: to lend what you keep, use a scope
//@ fix s/world.irecv(&mut values, 0, 0)?.wait()?;/world.scope(|s| s.irecv(\&mut values, 0, 0)?.wait().map(drop))?;/
//! A request that owns its buffer does not borrow it: that is what scopes are for.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut values = vec![0.0; 8];
    world.irecv(&mut values, 0, 0)?.wait()?;
    Ok(())
}
