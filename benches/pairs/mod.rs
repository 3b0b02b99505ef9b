//! Times an example against its C twin in `benches/c`: runs of both in turn, with the same launcher and settings.
//!
//! Both must agree on the result. What counts is the median over all pairs of the ratio of their times, and its 95 %
//! interval: single runs differ by more than the programs do.

use anyhow::{Context, Result, ensure};
use mpi::test_support::{FAMILY, IMPL_VERSION, LIBDIRS, MPICC, MPIEXEC, PREFIX};
use mpi_config::family::Family;
use mpi_config::faults::overrun_settings;
use mpi_config::launch::{Launcher, Options, Output};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const GOAL: f64 = 1.02;

/// How many pairs of runs: `--pairs N`, or `default`; `None` under `cargo test --benches`, which does not say `--bench`.
pub fn pairs(default: usize) -> Result<Option<usize>> {
    let args: Vec<String> = std::env::args().collect();
    if !args.iter().any(|arg| arg == "--bench") {
        return Ok(None);
    }
    let pairs = match args.iter().position(|arg| arg == "--pairs") {
        Some(at) => args.get(at + 1).and_then(|n| n.parse().ok()).filter(|&n| n > 0),
        None => Some(default),
    };
    pairs.context("--pairs needs a number above 0").map(Some)
}

pub fn launcher() -> Result<Launcher> {
    Launcher::from_parts(FAMILY, IMPL_VERSION, MPIEXEC, LIBDIRS, PREFIX).map_err(anyhow::Error::msg)
}

// ---- the two programs ----

#[derive(Debug)]
pub struct Program {
    pub path: PathBuf,
    pub args: Vec<OsString>,
}

/// Compiles `benches/c/NAME.c`.
pub fn build_c(name: &str, folder: &Path) -> Result<PathBuf> {
    ensure!(!MPICC.is_empty(), "mpi-sys found its MPI without an mpicc: set MPICC to compile the C twin");
    let program = folder.join(format!("{name}-c"));
    let mut mpicc = Command::new(MPICC);
    // No fused multiply-add in one of the two programs alone; rustc makes none either.
    mpicc
        .args(["-std=c11", "-O3", "-ffp-contract=off", "-fopenmp-simd"])
        .arg(Path::new(ROOT).join(format!("benches/c/{name}.c")));
    mpicc.arg("-o").arg(&program).arg("-lm");
    if FAMILY == "intel" {
        mpicc.env("I_MPI_ROOT", std::env::var_os("I_MPI_ROOT").unwrap_or(PREFIX.into()));
    }
    let status = mpicc.status().with_context(|| format!("cannot start {:?}", mpicc.get_program()))?;
    ensure!(status.success(), "{mpicc:?} failed");
    Ok(program)
}

// ---- runs ----

/// What a run printed.
#[derive(Debug)]
pub struct Report {
    /// Seconds for one step.
    pub step: f64,
    /// What the two programs must agree on.
    pub result: String,
}

impl Report {
    fn of(launcher: &Launcher, ranks: usize, program: &Program, read: Read) -> Result<Self> {
        let timeout = Some(Duration::from_secs(120));
        let options = Options { ranks, genv: settings(launcher), timeout, ..Options::default() };
        let ending = launcher.start(&options, &program.path, &program.args, Output::Capture)?.wait()?;
        let (stdout, stderr) =
            (String::from_utf8_lossy(&ending.stdout), String::from_utf8_lossy(&ending.stderr));
        ensure!(ending.exit_code() == 0, "{} failed:\n{stdout}{stderr}", program.path.display());
        read(&stdout).with_context(|| format!("{} printed\n{stdout}", program.path.display()))
    }
}

/// Makes a report of what was printed.
pub type Read = fn(&str) -> Result<Report>;

/// The word after `key` at the beginning of a line.
pub fn value<'a>(text: &'a str, key: &str) -> Result<&'a str> {
    let mut lines = text.lines().map(str::split_whitespace);
    let mut line = lines.find(|words| words.clone().next() == Some(key));
    line.as_mut().and_then(|words| words.nth(1)).with_context(|| format!("no line `{key}`"))
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

/// The head of the table that [`compare`] prints lines of.
pub fn print_head(pairs: usize, what: &str) {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    println!("{FAMILY} {IMPL_VERSION}, {pairs} pairs of runs of {what}; load {load}");
    println!("{:24} ranks   C us/step   Rust us/step   Rust/C   95 % interval   goal {GOAL}", "");
}

/// Runs `pairs` pairs and prints a line. Which program goes first alternates, so that a machine that slowly becomes faster or
/// slower favours neither.
pub fn compare(
    launcher: &Launcher,
    (name, ranks, pairs): (&str, usize, usize),
    c: &Program,
    rust: &Program,
    read: Read,
) -> Result<()> {
    let rounds = (0..pairs).map(|i| {
        let [first, second] = if i % 2 == 0 { [c, rust] } else { [rust, c] };
        let [first, second] =
            [Report::of(launcher, ranks, first, read)?, Report::of(launcher, ranks, second, read)?];
        ensure!(first.result == second.result, "the two programs disagree: {first:?}, {second:?}");
        Ok(if i % 2 == 0 { [first.step, second.step] } else { [second.step, first.step] })
    });
    let rounds = rounds.collect::<Result<Vec<[f64; 2]>>>()?;
    let [c, rust] = [0, 1].map(|program| rounds.iter().map(|times| times[program]).collect());
    let ratios = sorted(rounds.iter().map(|[c, rust]| rust / c).collect());
    let (low, high) = interval(&ratios);
    println!(
        "{name:24} {ranks:5}   {:9.2}   {:12.2}   {:6.3}   {low:.3} - {high:.3}   {}",
        median(&sorted(c)) * 1e6,
        median(&sorted(rust)) * 1e6,
        median(&ratios),
        if median(&ratios) <= GOAL {
            "met"
        } else if low <= GOAL {
            "within the interval"
        } else {
            "MISSED"
        },
    );
    Ok(())
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
