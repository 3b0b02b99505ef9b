//@ expect: lifetime may not live long enough
//@ fix s/s.isendrecv(&mine, 0, 0, &mut theirs, 0, 0))/s.isendrecv(\&mine, 0, 0, \&mut theirs, 0, 0)?.wait().map(|_| ()))/;s/let exchange = //;s/exchange.wait()?;//
//! The request lives as long as the scope, which completes what it stands for.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (mine, mut theirs) = ([1u8; 4], [0u8; 4]);
    let exchange = world.scope(|s| s.isendrecv(&mine, 0, 0, &mut theirs, 0, 0))?;
    exchange.wait()?;
    Ok(())
}
