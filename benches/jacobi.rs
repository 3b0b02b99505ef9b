//! The example `jacobi` against its C twin `benches/c/jacobi.c`: what does the safe layer cost?
//!
//! ```sh
//! cargo bench --bench jacobi                # 30 pairs on 1 and on 2 ranks
//! cargo bench --bench jacobi -- --pairs 60
//! ```
//!
//! Both programs are built here, with the MPI that `mpi-sys` was bound to, and started in turn by its launcher with
//! the same settings. They must agree on the result to the last bit. What counts is the median over all pairs of
//! the ratio of their times for one step, and its 95 % interval: single runs differ by more than the programs do.

#[path = "../tests/common/example.rs"]
mod example;
#[path = "../examples/jacobi/image/mod.rs"]
mod image;

use anyhow::{Context, Result, ensure};
use mpi::test_support::{FAMILY, IMPL_VERSION, LIBDIRS, MPICC, MPIEXEC, PREFIX};
use mpi_config::family::Family;
use mpi_config::faults::overrun_settings;
use mpi_config::launch::{Launcher, Options, Output};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PAIRS: usize = 30;
const STEPS: u64 = 10_000;
const GOAL: f64 = 1.02;

fn main() -> Result<()> {
    let Effort { pairs, steps } = Effort::from_args(std::env::args())?;
    let launcher =
        Launcher::from_parts(FAMILY, IMPL_VERSION, MPIEXEC, LIBDIRS, PREFIX).map_err(anyhow::Error::msg)?;
    let folder = tempfile::tempdir()?;
    let plate = Path::new(ROOT).join("examples/data/plate.png");
    let rust = Program { path: example::build("jacobi"), args: rust_args(&plate, folder.path(), steps) };
    let c = Program { path: build_c(folder.path())?, args: c_args(&plate, folder.path(), steps)? };

    println!("{} {}, {pairs} pairs of runs of {steps} steps", FAMILY, IMPL_VERSION);
    println!("ranks   C us/step   Rust us/step   Rust/C   95 % interval   goal {GOAL}");
    for ranks in [1, 2] {
        let rounds = (0..pairs).map(|i| pair(&launcher, ranks, &c, &rust, i % 2 == 0));
        let rounds = rounds.collect::<Result<Vec<[f64; 2]>>>()?;
        let [c, rust] = [0, 1].map(|program| rounds.iter().map(|times| times[program]).collect());
        let ratios = sorted(rounds.iter().map(|[c, rust]| rust / c).collect());
        let (low, high) = interval(&ratios);
        println!(
            "{ranks:5}   {:9.2}   {:12.2}   {:6.3}   {low:.3} - {high:.3}   {}",
            median(&sorted(c)) * 1e6,
            median(&sorted(rust)) * 1e6,
            median(&ratios),
            if median(&ratios) <= GOAL { "met" } else { "MISSED" },
        );
    }
    Ok(())
}

/// How much to measure.
#[derive(Debug, Clone, Copy)]
struct Effort {
    pairs: usize,
    steps: u64,
}

impl Effort {
    /// `--pairs N`; and next to nothing under `cargo test --benches`, which does not say `--bench`.
    fn from_args(args: impl Iterator<Item = String>) -> Result<Self> {
        let args: Vec<String> = args.collect();
        if !args.iter().any(|arg| arg == "--bench") {
            return Ok(Effort { pairs: 1, steps: 100 });
        }
        let pairs = match args.iter().position(|arg| arg == "--pairs") {
            Some(at) => args.get(at + 1).and_then(|n| n.parse().ok()).filter(|&n| n > 0),
            None => Some(PAIRS),
        };
        Ok(Effort { pairs: pairs.context("--pairs needs a number above 0")?, steps: STEPS })
    }
}

// ---- the two programs ----

#[derive(Debug)]
struct Program {
    path: PathBuf,
    args: Vec<OsString>,
}

fn rust_args(plate: &Path, folder: &Path, steps: u64) -> Vec<OsString> {
    let mut args: Vec<OsString> = ["--tolerance", "0", "--max-iterations"].map(Into::into).into();
    args.push(steps.to_string().into());
    args.extend(["--image".into(), plate.into(), "--output".into(), folder.join("heat.png").into()]);
    args
}

fn build_c(folder: &Path) -> Result<PathBuf> {
    ensure!(!MPICC.is_empty(), "mpi-sys found its MPI without an mpicc: set MPICC to compile the C twin");
    let program = folder.join("jacobi-c");
    let mut mpicc = Command::new(MPICC);
    // No fused multiply-add in one of the two programs alone; rustc makes none either.
    mpicc
        .args(["-std=c11", "-O3", "-ffp-contract=off", "-fopenmp-simd"])
        .arg(Path::new(ROOT).join("benches/c/jacobi.c"));
    mpicc.arg("-o").arg(&program).arg("-lm");
    if FAMILY == "intel" {
        mpicc.env("I_MPI_ROOT", std::env::var_os("I_MPI_ROOT").unwrap_or(PREFIX.into()));
    }
    run(mpicc)?;
    Ok(program)
}

/// The C twin reads no PNG: it gets the same levels as a binary PGM.
fn c_args(plate: &Path, folder: &Path, steps: u64) -> Result<Vec<OsString>> {
    let image = image::Grey::read(plate)?;
    let mut pgm = format!("P5 {} {} {}\n", image.cols, image.rows, image.white).into_bytes();
    let width = if image.white < 256 { 1 } else { 2 };
    pgm.extend(image.levels.iter().flat_map(|level| level.to_be_bytes().into_iter().skip(2 - width)));
    let path = folder.join("plate.pgm");
    std::fs::write(&path, pgm)?;
    Ok(vec![path.into(), "0".into(), steps.to_string().into()])
}

fn run(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}

// ---- runs ----

/// Seconds for a step in C and in Rust, from two runs in a row. Which goes first alternates, so that a machine that
/// slowly becomes faster or slower favours neither.
fn pair(launcher: &Launcher, ranks: usize, c: &Program, rust: &Program, c_first: bool) -> Result<[f64; 2]> {
    let [first, second] = if c_first { [c, rust] } else { [rust, c] };
    let first = Report::of(launcher, ranks, first)?;
    let second = Report::of(launcher, ranks, second)?;
    ensure!(first.result == second.result, "the two programs disagree: {first:?}, {second:?}");
    Ok(if c_first { [first.step, second.step] } else { [second.step, first.step] })
}

/// What a run printed.
#[derive(Debug)]
struct Report {
    /// Seconds for one step.
    step: f64,
    /// Iterations, residual and fingerprint, the residual to the last bit.
    result: (String, u64, String),
}

impl Report {
    fn of(launcher: &Launcher, ranks: usize, program: &Program) -> Result<Self> {
        let timeout = Some(Duration::from_secs(120));
        let options = Options { ranks, genv: settings(launcher), timeout, ..Options::default() };
        let ending = launcher.start(&options, &program.path, &program.args, Output::Capture)?.wait()?;
        let (stdout, stderr) =
            (String::from_utf8_lossy(&ending.stdout), String::from_utf8_lossy(&ending.stderr));
        ensure!(ending.exit_code() == 0, "{} failed:\n{stdout}{stderr}", program.path.display());
        Self::parse(&stdout).with_context(|| format!("{} printed\n{stdout}", program.path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        let value = |key: &str| {
            let mut lines = text.lines().map(str::split_whitespace);
            let mut line = lines.find(|words| words.clone().next() == Some(key));
            line.as_mut().and_then(|words| words.nth(1)).with_context(|| format!("no line `{key}`"))
        };
        let iterations: f64 = value("iterations")?.parse()?;
        let residual: f64 = value("residual")?.parse()?;
        Ok(Report {
            step: value("time")?.parse::<f64>()? / iterations,
            result: (value("iterations")?.into(), residual.to_bits(), value("fingerprint")?.into()),
        })
    }
}

/// Settings for both: the Rust program would make them by itself before `MPI_Init`, to keep Open MPI from writing past
/// receive buffers, and so run with another library than C.
fn settings(launcher: &Launcher) -> Vec<(String, String)> {
    let remedy = match launcher.family {
        Family::OpenMpi => overrun_settings(launcher.version),
        _ => &[],
    };
    remedy.iter().map(|setting| (setting.variable.into(), setting.value.into())).collect()
}

// ---- statistics ----

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0
}

/// The 95 % confidence interval of the median, from order statistics: no assumption about the distribution. Of `n`
/// values, the number below the true median is binomial; as many are cut off at each end as keeps both tails
/// together under 5 %.
fn interval(sorted: &[f64]) -> (f64, f64) {
    let n = sorted.len();
    let (mut probability, mut tail, mut cut) = (0.5f64.powi(n as i32), 0.0, 0);
    while tail + probability <= 0.025 {
        tail += probability;
        probability *= (n - cut) as f64 / (cut + 1) as f64;
        cut += 1;
    }
    let cut = cut.saturating_sub(1);
    (sorted[cut], sorted[n - 1 - cut])
}
