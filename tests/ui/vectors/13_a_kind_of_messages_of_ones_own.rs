//@ expect E0277
//@ fix s/struct Mine;/type Mine = [[u8; 1]; 1];/; s/alltoallv(&Mine)/alltoallv(\&Mine::default())/
//! What says who gets what is sealed: its lengths go to MPI.
struct Mine;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _got = world.alltoallv(&Mine)?;
    Ok(())
}
