//@ expect E0594
//@ fix s/view\[(0, 0)\] = 1;/let _ = view[(0, 0)];/
//! Writing through a view that is for reading: what it shows may be on its way.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let flight = plan.start()?;
    let view = flight.view(array, 0..1)?;
    view[(0, 0)] = 1;
    flight.wait()
}
