//@ expect E0597
//@ fix /let mut field/d;s/world.scope/let mut field = [0u8; 4];\n    world.scope/
//! Lending a plan what the body of the scope owns: forgotten, it is in flight until the scope ends.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        let mut field = [0u8; 4];
        let mut plan = s.plan();
        plan.array(&mut field);
        plan.start()?.wait()
    })
}
