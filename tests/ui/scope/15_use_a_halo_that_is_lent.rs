//@ expect E0382
//@ fix s/let _ = s.irecv(halo.north, 0, 0)?; println!("{}", halo.north/let n = s.irecv(halo.north, 0, 0)?.wait()?.data; println!("{}", n/
//! Using a ghost strip after lending it.
use mpi::buffer::Grid;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut g = Grid::new(4, 4, 1, 0f64)?;
    let halo = g.split();
    world.scope(|s| { let _ = s.irecv(halo.north, 0, 0)?; println!("{}", halo.north.row(0)[0]); Ok(()) })
}
