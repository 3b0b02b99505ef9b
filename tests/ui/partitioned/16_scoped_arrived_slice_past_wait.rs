//@ expect E0505
//@ fix /println/d;s/let x/let _x/
//! Keeping an arrived partition of borrowed memory past the wait.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [0u64; 4];
    world.scope(|s| {
        let mut receive = s.precv_init(&mut buf, 2, 0, 0)?;
        let arriving = receive.start()?;
        let x = arriving.arrived(0)?;
        arriving.wait()?;
        println!("{x:?}");
        Ok(())
    })
}
