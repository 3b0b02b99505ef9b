//@ expect E0499
//@ fix s/let mut b = .*//;s/ b.row_mut(0)\[0\] = 2;//
//! Two exclusive views at once: nothing says that their blocks are disjoint.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    let array = plan.array([0u8; 4]);
    let mut flight = plan.start()?;
    let mut a = flight.view_mut(array, 0..2)?;
    let mut b = flight.view_mut(array, 1..3)?;
    a.row_mut(0)[0] = 1; b.row_mut(0)[0] = 2;
    flight.wait()
}
