//! `cargo mpi run`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use mpi_config::find::{Environment, find};
use mpi_config::launch::{Launcher, Options, Output, forward_signals};

use crate::build::{self, Built, Program};
use crate::choice::Choice;
use crate::cli::{Run, Selection};
use crate::setup::{self, Machine};

/// Builds the program, starts it, and returns its exit code.
pub fn run(options: &Run, choice: Option<&Choice>, machine: &Machine) -> Result<u8> {
    let manifest = options.selection.manifest_path.as_deref();
    let cargo = build::cargo("build", choice, manifest)?;
    let Some(built) = build::build(cargo, &options.selection.cargo_args())? else {
        setup::tell_what_is_missing(machine);
        return Ok(101);
    };
    let program = choose(&built.programs, &options.selection)?;
    let launcher = launcher(&built, options.launcher.as_deref(), &machine.with_mpi(choice).env)?;
    let _forwarding = forward_signals().context("cannot forward signals")?;
    let mut job = launcher
        .start(&launch_options(options), &program, &options.args, Output::Inherit)
        .context("the launcher does not start")?;
    let ending = job.wait().context("cannot wait for the launcher")?;
    if let (true, Some(limit)) = (ending.timed_out, options.timeout) {
        eprintln!("error: the job took longer than {} s and was ended", limit.as_secs_f64());
    }
    Ok(exit_code(ending.exit_code()))
}

fn launch_options(options: &Run) -> Options {
    let in_allocation = || std::env::var("SLURM_NTASKS").ok()?.parse().ok();
    let width = terminal_width().map(|columns| ("CARGO_MPI_COLUMNS".to_owned(), columns.to_string()));
    Options {
        ranks: options.ranks.or_else(in_allocation).unwrap_or(1),
        hosts: options.hosts.clone(),
        genv: width.into_iter().chain(options.variables.iter().cloned()).collect(),
        extra: options.launcher_args.clone(),
        timeout: options.timeout,
        srun: options.launcher.is_none(),
    }
}

/// The columns of the terminal that standard error is, if it is one. To a rank it is a pipe to the launcher; by this
/// variable a program knows that a progress bar may be drawn.
fn terminal_width() -> Option<u16> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: writes the size of the terminal behind an open descriptor, or fails if it is none.
    let code = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    (code == 0 && size.ws_col > 0).then_some(size.ws_col)
}

/// The launcher of the MPI that was linked, or the one that the user names.
fn launcher(built: &Built, named: Option<&Path>, env: &Environment) -> Result<Launcher> {
    if let Some(linked) = built.launcher(named) {
        return linked;
    }
    eprintln!("note: this program does not link MPI through mpi-sys");
    match named {
        Some(mpiexec) => Ok(Launcher::from_parts("unknown", "", &mpiexec.to_string_lossy(), "", "")?),
        None => default_launcher(env),
    }
}

/// The launcher of the MPI that a build would use.
fn default_launcher(env: &Environment) -> Result<Launcher> {
    let found = find(env)?;
    Launcher::of(&found).with_context(|| format!("{} has no launcher: put its mpiexec on PATH", found.source))
}

/// The one program to start.
fn choose(programs: &[Program], selection: &Selection) -> Result<PathBuf> {
    let wanted = selection.bin.as_ref().or(selection.example.as_ref());
    let mut fitting: Vec<&Program> =
        programs.iter().filter(|program| wanted.is_none_or(|name| *name == program.name)).collect();
    if let (true, Some(default)) = (fitting.len() > 1, default_run(selection)) {
        fitting.retain(|program| program.name == default);
    }
    match fitting[..] {
        [program] => Ok(program.file.clone()),
        [] => bail!("there is no program to start here: name one with --bin or --example"),
        [..] => {
            let names: Vec<_> = fitting.iter().map(|program| format!("--bin {}", program.name)).collect();
            bail!("several programs could be started, choose one: {}", names.join(", "))
        }
    }
}

/// `default-run` of the package that cargo would run.
fn default_run(selection: &Selection) -> Option<String> {
    let metadata = build::metadata(selection.manifest_path.as_deref()).ok()?;
    let package = match &selection.package {
        Some(name) => metadata.packages.iter().find(|package| *package.name == **name),
        None => metadata.root_package(),
    };
    package?.default_run.clone()
}

/// As a shell sees it: the lowest eight bits, but never success for a failure.
fn exit_code(code: i32) -> u8 {
    match code.to_le_bytes()[0] {
        0 if code != 0 => 1,
        byte => byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(name: &str) -> Program {
        Program { name: name.into(), file: name.into() }
    }

    #[test]
    fn one_program_needs_no_name_and_several_do() {
        let any = Selection { manifest_path: Some("/nowhere/Cargo.toml".into()), ..Selection::default() };
        assert_eq!(choose(&[program("a")], &any).unwrap(), PathBuf::from("a"));
        assert!(choose(&[], &any).unwrap_err().to_string().contains("no program"));
        let error = choose(&[program("a"), program("b")], &any).unwrap_err().to_string();
        assert!(error.contains("--bin a, --bin b"), "{error}");
        let named = Selection { bin: Some("b".into()), ..any };
        assert_eq!(choose(&[program("a"), program("b")], &named).unwrap(), PathBuf::from("b"));
    }

    #[test]
    fn a_failure_never_becomes_success() {
        assert_eq!([exit_code(0), exit_code(5), exit_code(256), exit_code(137)], [0, 5, 1, 137]);
    }
}
