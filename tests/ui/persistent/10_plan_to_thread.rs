//@ expect E0277
//@ fix s/plan.start()/1/
//! A plan on a thread that may not call MPI.
use mpi::persistent::Plan;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut plan = Plan::new(&world);
    std::thread::scope(|t| { t.spawn(|| { let _ = plan.start(); }); });
    drop(plan);
    Ok(())
}
