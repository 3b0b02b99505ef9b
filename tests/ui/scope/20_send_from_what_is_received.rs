//@ expect E0502
//@ fix s/&y, 0, 2/\&x, 0, 2/
//! One array cannot be received into and sent from at once.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (x, mut y) = ([1.0; 4], [0.0; 4]);
    world.scope(|s| {
        let r = s.irecv(&mut y, 0, 1)?;
        s.isend(&y, 0, 2)?.defer();
        let _ = (&x, r.wait()?);
        Ok(())
    })
}
