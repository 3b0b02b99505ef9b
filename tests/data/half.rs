//! 16-bit floating-point numbers arrive bit for bit.

use half::{bf16, f16};
use mpi::{Communicator, Result};

#[mpi::test(ranks = [1, 2])]
fn every_pattern(world: Communicator) -> Result<()> {
    let (next, previous) =
        ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    let out: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let mut into = vec![f16::ZERO; out.len()];
    world.sendrecv(&out, next, 0, &mut into, previous, 0)?;
    assert!(into.iter().zip(0..=u16::MAX).all(|(x, bits)| x.to_bits() == bits));

    let out: Vec<bf16> = (0..=u16::MAX).map(bf16::from_bits).collect();
    let mut into = vec![bf16::ZERO; out.len()];
    world.sendrecv(&out, next, 0, &mut into, previous, 0)?;
    assert!(into.iter().zip(0..=u16::MAX).all(|(x, bits)| x.to_bits() == bits));

    let mine = f16::from_f32(world.rank() as f32 + 0.5);
    let all = world.allgather(&mine)?;
    assert!(all.iter().enumerate().all(|(rank, x)| x.to_f32() == rank as f32 + 0.5), "{all:?}");
    Ok(())
}
