//@ expect E0594
//@ fix s/part\[0\] = 1;/let _ = part[0];/
//! Writing to a partition that has arrived, while others are still received.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut receive = world.precv_init([0u64; 4], 2, 0, 0)?;
    let arriving = receive.start()?;
    if let Some(part) = arriving.arrived(0)? { part[0] = 1; }
    arriving.wait()
}
