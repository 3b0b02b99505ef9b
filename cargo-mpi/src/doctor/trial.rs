//! A job of two ranks, in C, so that it works before anything of Rust builds.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use mpi_config::find::{Environment, Installation};
use mpi_config::launch::{Launcher, Options, Output};

const SOURCE: &str = include_str!("trial.c");
const LIMIT: Duration = Duration::from_secs(30);

/// Compiles and starts it; returns how long the job took.
pub fn two_ranks(env: &Environment, chosen: &Installation, launcher: &Launcher) -> Result<Duration> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (source, program) = (folder.path().join("trial.c"), folder.path().join("trial"));
    std::fs::write(&source, SOURCE).context("cannot write the test program")?;
    compile(env, chosen, &source, &program)?;

    let started = Instant::now();
    let options = Options { ranks: 2, timeout: Some(LIMIT), ..Options::default() };
    let mut job =
        launcher.start(&options, &program, &[], Output::Capture).context("the launcher does not start")?;
    let ending = job.wait().context("cannot wait for the launcher")?;
    let complaint = String::from_utf8_lossy(&ending.stderr);
    if ending.timed_out {
        bail!("the job did not end within {} s\n{complaint}", LIMIT.as_secs());
    }
    if ending.exit_code() != 0 {
        bail!("the job ended with exit code {}\n{complaint}", ending.exit_code());
    }
    let output = String::from_utf8_lossy(&ending.stdout);
    if output.matches("size 2 sum 3").count() != 2 {
        bail!("the ranks did not find each other, as happens with another MPI's launcher: {}", output.trim());
    }
    Ok(started.elapsed())
}

fn compile(env: &Environment, chosen: &Installation, source: &Path, program: &Path) -> Result<()> {
    let output = compiler(env, chosen, source, program).output().context("the C compiler does not start")?;
    if !output.status.success() {
        bail!("a C program does not compile\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn compiler(env: &Environment, chosen: &Installation, source: &Path, program: &Path) -> Command {
    let flags = &chosen.flags;
    let driver = chosen.probe.compiler.first().map_or("cc", String::as_str);
    let mut command = env.command(Path::new(driver));
    command.args(chosen.probe.compiler.iter().skip(1)).args(flags.preprocessor_args());
    command.arg(source).arg("-o").arg(program);
    for folder in &flags.libdirs {
        command.arg("-L").arg(folder);
    }
    command.args(&flags.files).args(flags.libs.iter().map(|name| format!("-l{name}")));
    command
}
