//@ expect E0382
//@ fix /println/d
//! The buffer is the request's until it comes back.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let values = vec![0u32; 8];
    let incoming = world.irecv(values, 0, 0)?;
    println!("{}", values[0]);
    incoming.wait()?;
    Ok(())
}
