//! `cargo mpi test`: cargo test, with one sum at the end.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use cargo_metadata::Metadata;

use crate::build;
use crate::choice::Choice;
use crate::cli::Test;
use crate::setup::{self, Machine};
use crate::tally::Tally;

/// Runs the tests, prints `N passed, N failed`, and returns the exit code.
pub fn test(options: &Test, choice: Option<&Choice>, machine: &Machine) -> Result<u8> {
    let (cargo_args, program_args) = options.split();
    let manifest = manifest_path(cargo_args);
    let args = selection(cargo_args, is_own_workspace(&build::metadata(manifest)?));
    let mut building = args.clone();
    building.push("--no-run".into());
    let Some(built) = build::build(build::cargo("test", choice, manifest)?, &building)? else {
        setup::tell_what_is_missing(machine);
        println!("\n0 passed, 1 failed");
        return Ok(101);
    };
    let mut cargo = build::cargo("test", choice, manifest)?;
    cargo.args(&args).arg("--no-fail-fast").arg("--").args(program_args);
    // Test programs are started without a launcher, by cargo, and must find the library all the same.
    let found = std::env::var_os("LD_LIBRARY_PATH");
    if let Some(path) = mpi_config::launch::library_path(&built.library_folders(), found.as_deref()) {
        cargo.env("LD_LIBRARY_PATH", path);
    }
    let (tally, succeeded) = stream(cargo)?;
    let (passed, failed) = tally.sums(succeeded);
    println!("\n{passed} passed, {failed} failed");
    Ok(u8::from(!succeeded || failed > 0))
}

/// The user's arguments; when developing the `mpi` crate itself, all packages of its workspace.
fn selection(cargo_args: &[OsString], own_workspace: bool) -> Vec<OsString> {
    let mut args: Vec<OsString> = cargo_args.iter().filter(|arg| *arg != "--no-fail-fast").cloned().collect();
    let chosen = args.iter().any(|arg| {
        let arg = arg.to_string_lossy();
        arg.starts_with("-p") || arg.starts_with("--package") || matches!(&*arg, "--workspace" | "--all")
    });
    if own_workspace && !chosen {
        args.insert(0, "--workspace".into());
    }
    args
}

fn is_own_workspace(metadata: &Metadata) -> bool {
    metadata.workspace_packages().iter().any(|package| *package.name == "mpi-sys")
}

/// The value of `--manifest-path`.
fn manifest_path(args: &[OsString]) -> Option<&Path> {
    args.iter().enumerate().find_map(|(index, arg)| match arg.to_str()?.strip_prefix("--manifest-path")? {
        "" => args.get(index + 1).map(Path::new),
        value => value.strip_prefix('=').map(Path::new),
    })
}

/// Runs cargo, passing its output on while counting.
fn stream(mut cargo: Command) -> Result<(Tally, bool)> {
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let mut tally = Tally::default();
    if let Some(stdout) = child.stdout.take() {
        let mut out = std::io::stdout().lock();
        // By bytes: a test may print what is not UTF-8, and must not end the others for it.
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.context("cannot read cargo's output")?;
            out.write_all(&line).and_then(|()| out.write_all(b"\n")).context("cannot write")?;
            tally.line(&String::from_utf8_lossy(&line));
        }
    }
    let status = child.wait().context("cannot wait for cargo")?;
    Ok((tally, status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn this_workspace_is_tested_whole_unless_a_package_is_chosen() {
        assert_eq!(selection(&args("--test x"), true), args("--workspace --test x"));
        assert_eq!(selection(&args("-p mpi"), true), args("-p mpi"));
        assert_eq!(selection(&args("--no-fail-fast"), false), args(""));
    }

    #[test]
    fn the_manifest_is_found_in_both_spellings() {
        for line in ["--lib --manifest-path a/Cargo.toml", "--manifest-path=a/Cargo.toml"] {
            assert_eq!(manifest_path(&args(line)), Some(Path::new("a/Cargo.toml")));
        }
        assert_eq!(manifest_path(&args("--lib")), None);
    }
}
