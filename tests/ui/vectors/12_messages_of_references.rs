//@ expect E0277
//@ fix s/&mine\[\.\.\]; /mine[0]; /
//! An address means nothing to another process.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mine = [1u8, 2];
    let got = world.alltoallv(&vec![vec![&mine[..]; 3]; world.size()])?;
    assert!(!got.is_empty());
    Ok(())
}
