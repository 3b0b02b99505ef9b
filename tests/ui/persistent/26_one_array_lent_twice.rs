//@ expect E0499
//@ fix /let _b/d
//! Lending one array to two plans of one scope.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut field = [0u8; 4];
    world.scope(|s| {
        let (mut plan, mut other) = (s.plan(), s.plan());
        let _a = plan.array(&mut field);
        let _b = other.array(&mut field);
        Ok(())
    })
}
