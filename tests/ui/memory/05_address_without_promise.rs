//@ expect E0133
//@ fix s/Device::new(start, 3)/unsafe { Device::new(start, 3) }/
//! Nobody checks an address but who gives it.
use mpi::buffer::Device;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut numbers = [0u32; 3];
    let start = numbers.as_mut_ptr();
    world.send(&Device::new(start, 3), 0, 0)
}
