//@ expect E0277
//@ expect: contiguous
//@ fix s/allreduce_into(&device, &mut sums, Sum)/send(\&device, 0, 0)/
//! This crate reads what collectives are given, and cannot read a device.
use mpi::{buffer::Device, op::Sum};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (mut numbers, mut sums) = ([0u32; 3], [0u32; 3]);
    sums[0] = 1;
    let device = unsafe { Device::new(numbers.as_mut_ptr(), 3) };
    world.allreduce_into(&device, &mut sums, Sum)
}
