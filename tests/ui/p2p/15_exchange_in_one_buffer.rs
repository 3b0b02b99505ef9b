//@ expect E0502
//@ fix s/s.isendrecv(&ring, 0, 0, &mut ring, 0, 0)/s.isendrecv_replace(\&mut ring, 0, 0, 0, 0)/
//! One buffer cannot be lent for both: that is what `isendrecv_replace` is for.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut ring = vec![0u64; 10];
    world.scope(|s| {
        s.isendrecv(&ring, 0, 0, &mut ring, 0, 0)?.defer();
        Ok(())
    })
}
