//! What a struct type costs: messages of the same bytes as a row of one primitive, as a struct type and as bytes.
//!
//! `cargo bench --bench structs --no-run`, then `mpiexec -n 2` the program that it names.

use mpi::{AnyBits, Communicator, Datatype, Result};
use std::time::{Duration, Instant};

const LEN: usize = 100_000;
const ROUNDS: usize = 101;

#[derive(Clone, Copy, Default, Datatype, AnyBits)]
#[repr(C)]
struct Row {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Clone, Copy, Default, Datatype, AnyBits)]
#[repr(C)]
struct Struct {
    x: f64,
    y: f64,
    id: u64,
}

#[derive(Clone, Copy, Default, Datatype, AnyBits)]
#[repr(C)]
#[mpi(bytes)]
struct Bytes {
    x: f64,
    y: f64,
    id: u64,
}

#[derive(Clone, Copy, Default, Datatype, AnyBits)]
#[repr(C)]
struct Padded {
    x: f64,
    y: f64,
    id: u32,
}

/// The median time of a message there, of half a round trip.
fn one_way<T: Datatype + AnyBits + Default>(world: &Communicator) -> Result<Duration> {
    let mut values = vec![T::default(); LEN];
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        world.barrier()?;
        let start = Instant::now();
        if world.rank() == 0 {
            world.send(&values, 1, 0)?;
            world.recv_into(&mut values, 1, 0)?;
        } else {
            world.recv_into(&mut values, 0, 0)?;
            world.send(&values, 0, 0)?;
        }
        times.push(start.elapsed() / 2);
    }
    times.sort_unstable();
    Ok(times[ROUNDS / 2])
}

fn show<T: Datatype + AnyBits + Default>(world: &Communicator) -> Result<()> {
    let time = one_way::<T>(world)?;
    if world.rank() == 0 {
        let bytes = (LEN * size_of::<T>()) as f64;
        let rate = bytes / time.as_secs_f64() / 1e9;
        println!(
            "{:>8.0} us {rate:>6.2} GB/s  {:?}",
            time.as_secs_f64() * 1e6,
            mpi::datatype::typemap::<T>()
        );
    }
    Ok(())
}

fn main() -> Result<()> {
    let world = mpi::init()?;
    if world.size() != 2 {
        return Ok(()); // `cargo bench` alone: nothing to measure
    }
    show::<Row>(&world)?;
    show::<Struct>(&world)?;
    show::<Bytes>(&world)?;
    show::<Padded>(&world)
}
