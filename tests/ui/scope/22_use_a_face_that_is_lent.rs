//@ expect E0382
//@ fix s/let _ = s.irecv(halo.west, 0, 0)?; println!("{}", halo.west/let w = s.irecv(halo.west, 0, 0)?.wait()?.data; println!("{}", w/
//! Using a face of ghosts after lending it.
use mpi::buffer::Grid3;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut g = Grid3::new([4; 3], [1; 3], 0f64)?;
    let halo = g.split();
    world.scope(|s| { let _ = s.irecv(halo.west, 0, 0)?; println!("{}", halo.west[(0, 0, 0)]); Ok(()) })
}
