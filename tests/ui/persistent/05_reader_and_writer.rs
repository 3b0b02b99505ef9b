//@ expect E0502
//@ fix /let mut b/d;s/let a = .*/let (a, mut b) = flight.pair((array, 0..2), (array, 2..4))?;/
//! A view to read and another to write, asked for one by one: `pair` checks that they are disjoint.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let mut flight = plan.start()?;
    let a = flight.view(array, 0..2)?;
    let mut b = flight.view_mut(array, 1..3)?;
    b.row_mut(0)[0] = a.row(0)[0];
    flight.wait()
}
