//! What the small examples share with their C twins in `benches/c/timing.h`: random numbers, a loop that is timed, and what
//! is printed of it.

use mpi::op::Sum;
use mpi::{Communicator, Result};

/// The `i`-th random number of stream `stream` (SplitMix64).
pub fn random(stream: u64, i: u64) -> u64 {
    let mut x = (stream << 40).wrapping_add(i).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// `SIZE ROUNDS` of the command line.
pub fn arguments(default: usize) -> (usize, usize) {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    (numbers.next().unwrap_or(default), numbers.next().unwrap_or(1))
}

/// Runs `round` several times; rank 0 prints how long that took and a number that tells results apart.
pub fn time<T>(
    world: &Communicator,
    rounds: usize,
    mut round: impl FnMut() -> Result<T>,
    fingerprint: impl Fn(&T) -> u64,
) -> Result<()> {
    let again = |last: &mut Option<T>| {
        drop(last.take());
        *last = Some(round()?);
        Ok(())
    };
    time_in(world, rounds, None, again, |last| fingerprint(last.as_ref().expect("a round")))
}

/// The same where each round puts its result in the place of the last one.
pub fn time_in<T>(
    world: &Communicator,
    rounds: usize,
    mut result: T,
    mut round: impl FnMut(&mut T) -> Result<()>,
    fingerprint: impl Fn(&T) -> u64,
) -> Result<()> {
    world.barrier()?;
    let start = mpi::environment::wtime()?;
    for _ in 0..rounds.max(1) {
        round(&mut result)?;
    }
    world.barrier()?;
    let seconds = mpi::environment::wtime()? - start;
    if let Some(fingerprint) = world.reduce(&fingerprint(&result), Sum, 0)? {
        println!("rounds {rounds}\ntime {seconds:.9}\nfingerprint {fingerprint:016x}");
    }
    Ok(())
}

/// Differs when an element, its place or its rank does.
pub fn digest(rank: usize, all: impl Iterator<Item = u64>) -> u64 {
    all.zip(1u64..).fold(rank as u64, |sum, (x, place)| sum.wrapping_add((x ^ place).wrapping_mul(place)))
}
