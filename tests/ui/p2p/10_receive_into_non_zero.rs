//@ expect E0277
//@ expect: receive it by value
//@ fix s/let mut x = .*$/let x;/;s/world.recv_into(&mut x, 0, 0)?;/x = world.recv::<NonZero<u8>>(0, 0)?.data;/
//! A zero may arrive: receive by value, which checks.
#[allow(unused)]
use std::num::NonZero;
#[allow(unused)]
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut x = NonZero::<u8>::MIN;
    world.recv_into(&mut x, 0, 0)?;
    Ok(())
}
