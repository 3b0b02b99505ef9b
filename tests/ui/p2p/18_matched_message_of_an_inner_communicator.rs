//@ expect E0597
//@ fix s/let inner = world.dup()?;/let inner = s.keep(world.dup()?);/
//! The communicator of a message in flight lives as long as the scope.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut room = [0u8; 4];
    world.scope(|s| {
        let inner = world.dup()?;
        s.imrecv(inner.mprobe(0, 0)?, &mut room)?.defer();
        Ok(())
    })
}
