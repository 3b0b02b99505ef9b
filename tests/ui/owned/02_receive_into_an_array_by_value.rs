//@ expect E0277
//@ expect: an array or a number is boxed first
//@ fix s/irecv(\[0.0; 4\]/irecv(vec![0.0; 4]/
//! As for sending.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let got = world.irecv([0.0; 4], 0, 0)?.wait()?;
    println!("{:?}", got.data);
    Ok(())
}
