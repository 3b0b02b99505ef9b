//@ expect E0502
//@ fix s/println.*/println!("{error}");/
//! After a failure the buffers stay lent: some request may still be in flight.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (mut a, mut b) = ([0u8; 4], [0u8; 4]);
    world.scope(|s| {
        let requests = (s.irecv(&mut a, 0, 0)?, s.irecv(&mut b, 0, 1)?);
        if let Err(error) = mpi::wait_all(requests) {
            println!("{error} {}", b[0]);
            s.ibarrier()?.wait()?;
        }
        Ok(())
    })?;
    Ok(())
}
