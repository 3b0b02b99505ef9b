//@ expect E0277
//@ fix s/s.isend(\[1u8; 4\]/s.isend(\&[1u8; 4]/
//! An array by value would move with the request: lend it.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| { s.isend([1u8; 4], 0, 0)?.defer(); Ok(()) })
}
