//@ expect E0308
//@ fix s/view_mut/view/;s/let mut flight/let flight/
//! Writing in flight to an array that is only borrowed for reading.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let table = [0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&table);
        let mut flight = plan.start()?;
        flight.view_mut(id, 0..1)?;
        flight.wait()
    })
}
