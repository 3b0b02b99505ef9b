//@ expect E0597
//@ fix s/let local = \[1u8; 4\];/let local = s.keep([1u8; 4]);/;s/&local/\&*local/
//! A local of the scope's body dies before the scope ends.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut theirs = [0u8; 4];
    world.scope(|s| {
        let local = [1u8; 4];
        s.isendrecv(&local, 0, 0, &mut theirs, 0, 0)?.defer();
        Ok(())
    })
}
