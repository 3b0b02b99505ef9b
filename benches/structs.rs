//! Messages of structs against `benches/c/structs.c`, which describes the same structs by hand: what does a derived type cost?
//!
//! ```sh
//! cargo bench --bench structs                # 20 pairs of each, on 2 ranks
//! cargo bench --bench structs -- --pairs 60
//! MPICC=/prefix/bin/mpicc cargo bench --bench structs --target-dir target/other-mpi
//! ```
//!
//! A step is one message, the median of half a round trip. C sends a struct type each time; Rust sends `row` as a row of one
//! primitive, `struct` and `padded` as a struct type, `bytes` as bytes.

mod pairs;

use anyhow::{Context, Result};
use mpi::environment::wtime;
use mpi::op::Sum;
use mpi::{AnyBits, Communicator, Datatype};
use pairs::{Program, Report, build_c, compare, launcher, print_head, value};

const KINDS: [&str; 4] = ["row", "struct", "bytes", "padded"];
const LEN: usize = 100_000;
const ROUNDS: usize = 101;

#[derive(Clone, Copy, Datatype, AnyBits)]
#[repr(C)]
struct Row {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Clone, Copy, Datatype, AnyBits)]
#[repr(C)]
struct Struct {
    x: f64,
    y: f64,
    id: u64,
}

#[derive(Clone, Copy, Datatype, AnyBits)]
#[repr(C)]
#[mpi(bytes)]
struct Bytes {
    x: f64,
    y: f64,
    id: u64,
}

#[derive(Clone, Copy, Datatype, AnyBits)]
#[repr(C)]
struct Padded {
    x: f64,
    y: f64,
    id: u32,
}

/// Starts itself on two ranks, as `structs KIND LEN ROUNDS`.
fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [kind, len, rounds] if KINDS.contains(&&kind[..]) => rank(kind, len.parse()?, rounds.parse()?),
        _ => drive(),
    }
}

fn drive() -> Result<()> {
    let pairs = pairs::pairs(20)?;
    let (launcher, folder) = (launcher()?, tempfile::tempdir()?);
    let rounds = if pairs.is_some() { ROUNDS } else { 2 };
    let (rust, c) = (std::env::current_exe()?, build_c("structs", folder.path())?);
    print_head(pairs.unwrap_or(1), &format!("messages of {LEN} structs"));
    for kind in KINDS {
        let args = vec![kind.into(), LEN.to_string().into(), rounds.to_string().into()];
        let [c, rust] = [&c, &rust].map(|path| Program { path: path.clone(), args: args.clone() });
        compare(&launcher, (kind, 2, pairs.unwrap_or(1)), &c, &rust, read)?;
    }
    Ok(())
}

fn read(text: &str) -> Result<Report> {
    Ok(Report { step: value(text, "time")?.parse()?, result: value(text, "fingerprint")?.into() })
}

// ---- one of the two ranks ----

fn rank(kind: &str, len: u32, rounds: usize) -> Result<()> {
    let world = mpi::init()?;
    let run = (&world, len, rounds);
    match kind {
        "row" => measure(run, |x, y, z| Row { x, y, z: z.into() }, |v| [v.x, v.y, v.z]),
        "struct" => measure(run, |x, y, id| Struct { x, y, id: id.into() }, |v| [v.x, v.y, v.id as f64]),
        "bytes" => measure(run, |x, y, id| Bytes { x, y, id: id.into() }, |v| [v.x, v.y, v.id as f64]),
        _ => measure(run, |x, y, id| Padded { x, y, id }, |v| [v.x, v.y, v.id.into()]),
    }
}

/// Rank 0 alone has values at first: the other one's must come from there.
fn measure<T: Datatype + AnyBits>(
    (world, len, rounds): (&Communicator, u32, usize),
    make: fn(f64, f64, u32) -> T,
    numbers: fn(&T) -> [f64; 3],
) -> Result<()> {
    let known = |i| if world.rank() == 0 { i } else { 0 };
    let values = (0..len).map(known).map(|n| make(n.into(), (2 * n).into(), 3 * n));
    let mut values: Vec<T> = values.collect();
    let time = one_way(world, &mut values, rounds)?;
    let numbers = values.iter().map(numbers).map(|numbers| numbers.map(|number| number as u64));
    let mine: u64 = numbers.zip(1..).map(|([x, y, last], place)| place * (x + 5 * y + 7 * last)).sum();
    if let Some(all) = world.reduce(&mine, Sum, 0)? {
        println!("time {time:.9}\nfingerprint {all:016x}");
    }
    Ok(())
}

/// The median time of half a round trip.
fn one_way<T: Datatype + AnyBits>(world: &Communicator, values: &mut [T], rounds: usize) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..rounds {
        world.barrier()?;
        let start = wtime()?;
        if world.rank() == 0 {
            world.send(&*values, 1, 0)?;
            world.recv_into(values, 1, 0)?;
        } else {
            world.recv_into(values, 0, 0)?;
            world.send(&*values, 0, 0)?;
        }
        times.push((wtime()? - start) / 2.0);
    }
    times.sort_unstable_by(f64::total_cmp);
    times.get(rounds / 2).copied().context("no rounds")
}
