//@ expect: lifetime may not live long enough
//@ fix s/Ok(plan)/{ drop(plan); Ok(()) }/
//! A plan that leaves the scope which completes it.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _plan = world.scope(|s| {
        let plan = s.plan();
        Ok(plan)
    })?;
    Ok(())
}
