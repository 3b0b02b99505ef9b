//@ expect E0506
//@ fix /^        field/d
//! Writing a borrowed array past its plan, which may be in flight.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut field = [0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let _id = plan.array(&mut field);
        field[0] = 1;
        plan.start()?.wait()
    })
}
