//@ expect E0597
//@ fix s/completer.complete(&local)?/completer.complete(\&0)?/
//! The request gives the value back later.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (request, completer) = world.grequest_start::<&u8>()?;
    {
        let local = 1;
        completer.complete(&local)?;
    }
    println!("{:?}", request.wait()?.data);
    Ok(())
}
