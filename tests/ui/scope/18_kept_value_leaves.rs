//@ expect E0521
//@ fix s/out = Some(s.keep(vec!\[1u8\]));/out = Some(s.keep(vec![1u8]).clone());/
//! A kept value is dropped with its scope.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut out = None;
    world.scope(|s| {
        out = Some(s.keep(vec![1u8]));
        Ok(())
    })
}
