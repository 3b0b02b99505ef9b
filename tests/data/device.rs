//! Memory given by address, here the host's, and what the library says of devices.

use crate::sample::{same, samples};
use mpi::buffer::Device;
use mpi::environment::{Gpu, gpu_support};
use mpi::{Communicator, Result};

#[mpi::test(ranks = [1, 2, 3])]
fn addresses(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let mut out = samples::<f32>(me, 1000);
    let mut into = vec![0f32; 1001];
    // SAFETY: a vector that is not used before `from` is gone.
    let from = unsafe { Device::new(out.as_mut_ptr(), 1000) };
    // SAFETY: the front of a vector that is not used before `to` is gone.
    let mut to = unsafe { Device::new(into.as_mut_ptr(), 1000) };
    assert_eq!((from.len(), from.is_empty()), (1000, false));
    world.sendrecv(&from, next, 0, &mut to, previous, 0)?;
    assert_eq!(to.len(), 1000);
    same(&into[..1000], &samples(previous, 1000));
    assert_eq!(into[1000], 0.0);
    into.fill(0.0);
    // SAFETY: as above.
    let mut to = unsafe { Device::new(into.as_mut_ptr(), 1000) };
    world.scope(|s| {
        let received = s.irecv(&mut to, previous, 1)?;
        let sent = s.isend(&from, next, 1)?;
        assert_eq!(received.wait()?.status.count::<f32>(), Some(1000));
        sent.wait().map(drop)
    })?;
    same(&into[..1000], &samples(previous, 1000));
    Ok(())
}

/// No library here is built for devices: each says no, or nothing.
#[mpi::test(ranks = 1)]
fn support(_world: Communicator) -> Result<()> {
    for gpu in [Gpu::Cuda, Gpu::Rocm, Gpu::LevelZero] {
        assert_ne!(gpu_support(gpu)?, Some(true), "{gpu:?}");
    }
    Ok(())
}
