//@ expect E0502
//@ fix s/g\[(0, 0)\]/corner.wait()?.data[(0, 0)]/
//! Reading a corner through the grid while it is received into.
use mpi::buffer::Grid;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut g = Grid::with_ghosts(4, 4, [2, 1], 0f64)?;
    let [[north_west, ..], ..] = g.split_all();
    world.scope(|s| {
        let corner = s.irecv(north_west, 0, 0)?;
        s.isend(&[0.5; 2], 0, 0)?.defer();
        println!("{}", g[(0, 0)]);
        Ok(())
    })
}
