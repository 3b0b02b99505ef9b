//! `cargo mpi doctor`: what is installed, what a build would use, and whether it works.

mod report;
mod trial;

use std::io::Write;

use mpi_config::find::{Installation, find, find_all};
use mpi_config::launch::Launcher;
use mpi_config::{Family, faults};

use crate::setup::{self, Machine, Piece};
use report::Report;

/// Prints the findings; returns 1 if a build or a run would not work.
pub fn doctor(machine: &Machine) -> u8 {
    let mut report = Report::default();
    compiler(&mut report, machine);
    libclang(&mut report, machine);
    if let Some(chosen) = installations(&mut report, machine) {
        launcher(&mut report, machine, &chosen);
        faults(&mut report, &chosen);
    }
    // Whoever closes the pipe has read enough.
    let _ = std::io::stdout().write_all(report.to_string().as_bytes());
    u8::from(report.has_problems())
}

fn compiler(report: &mut Report, machine: &Machine) {
    match setup::find_compiler(&machine.env) {
        Some(file) => report.good("C compiler", file.display()),
        None => report.bad("C compiler", "not found", remedy(machine, Piece::CCompiler, "CC")),
    }
}

fn libclang(report: &mut Report, machine: &Machine) {
    match setup::find_libclang(&machine.env) {
        Some(file) => report.good("libclang", file.display()),
        None => report.bad("libclang", "not found", remedy(machine, Piece::Libclang, "LIBCLANG_PATH")),
    }
}

/// Installing does not help where a variable points elsewhere.
fn remedy(machine: &Machine, piece: Piece, variable: &str) -> String {
    match machine.env.get(variable) {
        Some(value) => format!("unset {variable}   (it is {})", value.display()),
        None => setup::remedy(machine, &[piece]),
    }
}

/// Lists all MPIs; returns the one a build would use.
fn installations(report: &mut Report, machine: &Machine) -> Option<Installation> {
    let chosen = match find(&machine.env) {
        Ok(chosen) => Some(chosen),
        Err(error) => {
            report.bad("MPI", error.problem(), remedy(machine, Piece::Mpi, "MPICC"));
            None
        }
    };
    let header = chosen.as_ref().map(|chosen| &chosen.probe.header);
    for found in find_all(&machine.env) {
        let used = header == Some(&found.probe.header);
        report.good(if used { "MPI, used" } else { "MPI, also" }, describe(&found));
    }
    chosen
}

fn describe(found: &Installation) -> String {
    let (major, minor) = found.probe.standard;
    let file = found.mpicc.as_ref().unwrap_or(&found.probe.header).display().to_string();
    let file = if found.source.contains(&file) { String::new() } else { format!(": {file}") };
    format!("{} {} (MPI {major}.{minor}), {}{file}", found.probe.family, found.probe.version, found.source)
}

fn launcher(report: &mut Report, machine: &Machine, chosen: &Installation) {
    let Some(launcher) = Launcher::of(chosen) else {
        report.bad("launcher", "this MPI has none", setup::remedy(machine, &[Piece::Mpi]));
        return;
    };
    report.good("launcher", launcher.mpiexec.display());
    match trial::two_ranks(&machine.env, chosen, &launcher) {
        Ok(time) => {
            report.good("two ranks", format_args!("start and find each other ({:.2} s)", time.as_secs_f64()))
        }
        Err(error) => {
            let other = if launcher.family == Family::OpenMpi { Family::Mpich } else { Family::OpenMpi };
            let remedy = format!("try another one: cargo mpi --mpi {} --setup doctor", other.name());
            report.bad("two ranks", format_args!("{error:#}"), remedy);
        }
    }
}

/// The known faults of the library that a build would use. None of them keeps a program from being built or started.
fn faults(report: &mut Report, chosen: &Installation) {
    for fault in faults::applying(chosen.probe.family, chosen.probe.version) {
        let danger = if fault.corrupts_memory { " (corrupts memory)" } else { "" };
        let text = format!("{}{danger}: {}\nremedy: {}", fault.id, fault.summary, fault.remedy);
        report.note("library fault", text);
    }
}
