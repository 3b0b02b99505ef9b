//@ expect E0499
//@ fix s/let a = .*/let (l, r) = grid.split_at_mut(8); let a = s.irecv(l, 0, 0)?;/;s/let b = .*/let b = s.irecv(r, 0, 1)?;/
//! Two receives into overlapping parts of one array.
use mpi::wait_all;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut grid = vec![0f64; 16];
    world.scope(|s| {
        let a = s.irecv(&mut grid[0..8], 0, 0)?;
        let b = s.irecv(&mut grid[4..12], 0, 1)?;
        wait_all([a, b])?;
        Ok(())
    })
}
