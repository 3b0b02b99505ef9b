//@ expect E0505
//@ fix /println/d;s/let x/let _x/
//! Keeping an arrived partition past the wait: the next start would write to it.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut receive = world.precv_init([0u64; 4], 2, 0, 0)?;
    let arriving = receive.start()?;
    let x = arriving.arrived(0)?;
    arriving.wait()?;
    println!("{x:?}");
    Ok(())
}
