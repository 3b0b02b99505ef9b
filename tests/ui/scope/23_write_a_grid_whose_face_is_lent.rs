//@ expect E0499
//@ fix s/g\[(1, 1, 1)\] = 1.0/core[(0, 0, 0)] = 1.0/
//! Writing to a grid as a whole while one of its parts is received into: the interior is a part of its own.
use mpi::buffer::{Grid3, Halo3};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut g = Grid3::new([4; 3], [1; 3], 0f64)?;
    let Halo3 { front, mut core, .. } = g.split();
    world.scope(|s| {
        let ghosts = s.irecv(front, 0, 0)?;
        g[(1, 1, 1)] = 1.0;
        s.isend(&[0.5; 16], 0, 0)?.defer();
        core[(0, 1, 0)] = 2.0;
        ghosts.wait()?;
        Ok(())
    })
}
