//! Finds the system's MPI, generates bindings to it and says how to link.
//!
//! Every failure is one short message on standard error and exit code 1, never a panic.

mod bindings;
mod emit;
mod inventory;
mod names;
mod shim;
mod stub;
mod value;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mpi_config::Error;
use mpi_config::find::{self, Environment};

use names::Present;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mpi-sys: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let out_dir = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let out_dir = out_dir.ok_or_else(|| Error::new("OUT_DIR is not set: run this through cargo"))?;
    let (present, bindings) = if stub::wanted() { stub::declare() } else { declare(&out_dir)? };
    write(&out_dir.join("bindings.rs"), &bindings)?;
    write(&out_dir.join("inventory.rs"), &inventory::source(&present))?;
    // Last, because cargo shows what a failed script printed: it would bury the message, and cargo runs a failed
    // script again in any case.
    emit::reruns();
    Ok(())
}

/// Finds an MPI and returns the Rust declarations of what it offers.
fn declare(out_dir: &Path) -> Result<(Present, String), Error> {
    let found = find::find(&Environment::of_process())?;
    let present = Present::in_header(&found.probe.names);
    let bindings = bindings::generate(&found, &present)? + &shim::build(&found, &present, out_dir)?;
    emit::warnings(&found);
    emit::files(&found);
    emit::link(&found.flags);
    emit::facts(&emit::Facts::of(&found, &present));
    Ok((present, bindings))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text)
        .map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))
}
