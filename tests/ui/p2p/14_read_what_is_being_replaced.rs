//@ expect E0502
//@ fix /println/d
//! Between the call and `wait` nobody knows what the buffer holds.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut ring = vec![0u64; 10];
    world.scope(|s| {
        let exchange = s.isendrecv_replace(&mut ring, 0, 0, 0, 0)?;
        println!("{}", ring[0]);
        exchange.wait()?;
        Ok(())
    })
}
