//@ expect E0499
//@ fix s/let again = .*//;s/again.wait()?;//
//! A mapped request lends what it lent before.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u8; 4];
    world.scope(|s| {
        let first = s.irecv(&mut buf, 0, 0)?.map(|got| got.status);
        let again = s.irecv(&mut buf, 0, 1)?;
        first.wait()?;
        again.wait()?;
        Ok(())
    })
}
