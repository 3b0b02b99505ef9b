//@ expect E0505
//@ fix /println/d;s/let v/let _v/
//! Keeping a view of a borrowed array past the wait: the next start would write to it.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut field = [0u8; 4];
    world.scope(|s| {
        let mut plan = s.plan();
        let id = plan.array(&mut field);
        let flight = plan.start()?;
        let v = flight.view(id, 0..1)?;
        flight.wait()?;
        println!("{v:?}");
        Ok(())
    })
}
