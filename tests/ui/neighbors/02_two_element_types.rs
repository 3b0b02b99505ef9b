//@ expect E0271
//@ fix s/0u8/0i32/
//! A neighbour's block is of the type that is sent.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let ring = world.cartesian(&[world.size()], &[true], false)?.expect("a place");
    let mut ghosts = [0u8; 2];
    ring.neighbor_alltoall_into(&[1i32, 2], &mut ghosts)
}
