//@ expect E0277
//@ expect: into a new `Vec` (`recv_vec::<T>`, `irecv_vec::<T>`)
//@ fix s/world.irecv(vec!\[false; 4\], 0, 0)/world.irecv_vec::<bool>(0, 0)/
//! A peer may send a 2.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let flags: Vec<bool> = world.irecv(vec![false; 4], 0, 0)?.wait()?.data;
    println!("{flags:?}");
    Ok(())
}
