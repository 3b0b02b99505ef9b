//@ expect E0271
//@ fix s/0u64/0u32/
//! What is collected has one element type on both sides: no count can be off by their ratio.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut all = vec![0u64; 2 * world.size()];
    world.allgather_into(&[1u32, 2], &mut all)
}
