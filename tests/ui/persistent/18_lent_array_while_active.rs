//@ expect E0499
//@ fix /plan.get_mut/d
//! Writing a borrowed array as a whole while it is in flight.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut field = [0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&mut field);
        let flight = plan.start()?;
        plan.get_mut(id)?[0] = 1;
        flight.wait()
    })
}
