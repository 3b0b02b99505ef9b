//! The `mpiexec` that belongs to a compiler wrapper.
//!
//! Starting a program with another MPI's launcher gives N processes that each believe they are alone, so the
//! first `mpiexec` on `PATH` is not good enough.

use std::path::{Path, PathBuf};

use super::environment::is_executable;
use crate::Family;

const NAMES: [&str; 2] = ["mpiexec", "mpirun"];

/// Looks beside the wrapper, and beside what its symbolic links lead to, keeping a distribution's suffix:
/// `/usr/bin/mpicc` → `/etc/alternatives/mpi` → `/usr/bin/mpicc.openmpi` yields `/usr/bin/mpiexec.openmpi`.
pub(super) fn beside_wrapper(mpicc: &Path) -> Option<PathBuf> {
    let chain = links(mpicc);
    let suffixed = chain.iter().rev().find_map(|link| {
        let name = link.file_name()?.to_str()?;
        let suffix = name.strip_prefix("mpicc").filter(|suffix| !suffix.is_empty())?;
        in_dir(link.parent()?, suffix)
    });
    suffixed.or_else(|| chain.iter().find_map(|link| in_dir(link.parent()?, "")))
}

/// Looks into a `bin` folder, first for the name a distribution that installs several MPIs side by side gives.
pub(super) fn in_bin(bin: &Path, family: Family) -> Option<PathBuf> {
    in_dir(bin, &format!(".{}", family.name())).or_else(|| in_dir(bin, ""))
}

fn in_dir(dir: &Path, suffix: &str) -> Option<PathBuf> {
    NAMES.iter().map(|name| dir.join(format!("{name}{suffix}"))).find(|file| is_executable(file))
}

/// A path and everything its symbolic links pass through.
fn links(path: &Path) -> Vec<PathBuf> {
    // The kernel gives up after 40 links too.
    let mut chain = vec![path.to_path_buf()];
    for _ in 0..40 {
        let Some(last) = chain.last() else { break };
        let (Ok(target), Some(dir)) = (last.read_link(), last.parent()) else { break };
        chain.push(dir.join(target));
    }
    chain
}
