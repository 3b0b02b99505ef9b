//@ expect E0277
//@ fix s/&true/\&1u8/; s/false; 2/0u8; 2/
//! Only a fresh result is checked; a buffer of truth values could be left with what is none.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let ring = world.cartesian(&[world.size()], &[true], false)?.expect("a place");
    let mut sides = [false; 2];
    ring.neighbor_allgather_into(&true, &mut sides)
}
