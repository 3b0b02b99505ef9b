//@ expect E0499
//@ fix s/let _gone.*/flight.wait()?;/;s/^        flight.wait()$/        Ok(())/
//! Taking a borrowed array back while it is in flight.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut field = [0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&mut field);
        let flight = plan.start()?;
        let _gone = plan.take(id)?;
        flight.wait()
    })
}
