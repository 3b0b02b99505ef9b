//@ expect E0499
//@ fix s/cells\[0\] = 1.0/north.wait()?.data[(0, 0)] = 1.0/
//! Writing to borrowed cells while a part of the grid over them is received into.
use mpi::buffer::{GridMut, Halo};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut cells = [0f64; 36];
    let Halo { north, .. } = GridMut::new(&mut cells, 4, 4, [1, 1])?.split();
    world.scope(|s| {
        let north = s.irecv(north, 0, 0)?;
        s.isend(&[0.5; 4], 0, 0)?.defer();
        cells[0] = 1.0;
        Ok(())
    })
}
