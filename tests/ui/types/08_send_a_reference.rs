//@ expect E0277
//@ expect: references or interior
//@ fix s/\["a", "b"\]/[1u8, 2]/
//! A reference means nothing in another process.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&["a", "b"], 0, 0)
}
