//! Asks a compiler wrapper what it would run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::failure::Failure;
use super::flags::Flags;

/// What Intel's wrapper prints where its folder belongs, unless `I_MPI_ROOT` is set.
const INTEL_PLACEHOLDER: &str = "I_MPI_SUBSTITUTE_INSTALLDIR";

/// Runs `mpicc -show`.
pub(super) fn show(env: &Environment, mpicc: &Path) -> Result<Flags, Failure> {
    let text = run(env, mpicc)?;
    let text = match prefix(mpicc) {
        Some(root) if text.contains(INTEL_PLACEHOLDER) => {
            run(&env.clone().with("I_MPI_ROOT", root.as_os_str()), mpicc)?
        }
        _ => text,
    };
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    Flags::parse(line).ok_or_else(|| {
        Failure::Unusable(format!("`{} -show` printed an unclosed quote: {line}", mpicc.display()))
    })
}

/// The folder a wrapper was installed into: `/opt/x` for `/opt/x/bin/mpicc`.
pub(super) fn prefix(mpicc: &Path) -> Option<PathBuf> {
    let bin = std::path::absolute(mpicc).ok()?.parent()?.to_path_buf();
    (bin.file_name() == Some(OsStr::new("bin"))).then(|| bin.parent().map(Path::to_path_buf))?
}

fn run(env: &Environment, mpicc: &Path) -> Result<String, Failure> {
    let failed = |why: String| Failure::Unusable(format!("`{} -show` failed: {why}", mpicc.display()));
    let output = env.command(mpicc).arg("-show").output().map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(failed(super::first_line(&output.stderr)))
}
