//@ expect E0277 E0599
//@ fix s/\[false; 8\]/[0u8; 8]/; s/\&true/\&1u8/
//! Bytes of a peer need not be a `bool`: none is lent to be written.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut all = [false; 8];
    world.scope(|s| s.iallgather(&true, &mut all)?.wait().map(|_| ()))
}
