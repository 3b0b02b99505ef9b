//@ expect E0502
//@ fix s/&field\[1..3\]/\&[0.0, 0.0]/
//! One buffer for both.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let ring = world.cartesian(&[world.size()], &[true], false)?.expect("a place");
    let mut field = [0.0; 4];
    ring.neighbor_alltoall_into(&field[1..3], &mut field)?;
    Ok(())
}
