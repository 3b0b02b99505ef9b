//@ expect E0597
//@ fix s/let mut y = \[0u64; 4\];/let y = s.keep([0u64; 4]);/; s/\&mut y/y/
//! The scope completes the request after its body has returned, and its locals are gone by then.
use mpi::op::Max;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let x = [1u64; 4];
    world.scope(|s| {
        let mut y = [0u64; 4];
        s.iallreduce(&x, &mut y, Max)?.defer();
        Ok(())
    })
}
