//! The command line of each launcher.

use std::env::{join_paths, split_paths};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::{Options, Situation};
use crate::{Family, Version};

/// Arguments of `mpiexec` before the program.
pub(super) fn mpiexec_arguments(
    family: Family,
    version: Version,
    options: &Options,
    situation: &Situation,
) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["-n".into(), options.ranks.to_string().into()];
    let open_mpi = family == Family::OpenMpi;
    if !options.hosts.is_empty() {
        arguments.push(if open_mpi { "--host" } else { "-hosts" }.into());
        arguments.push(options.hosts.join(",").into());
        if open_mpi && version.major >= 5 && situation.oversubscribed {
            arguments.extend(["--map-by".into(), "slot:OVERSUBSCRIBE".into()]);
        }
    }
    if open_mpi {
        // Hydra hands its whole environment to the ranks of every host, Open MPI only what it is told.
        let remote = (!options.hosts.is_empty()).then_some("LD_LIBRARY_PATH");
        let names = options.genv.iter().map(|(name, _)| name.as_str()).chain(remote);
        arguments.extend(names.flat_map(|name| ["-x".into(), name.into()]));
    }
    arguments.extend(options.extra.iter().cloned());
    arguments
}

/// Arguments of Slurm's `srun` before the program. It hands its environment to the ranks.
pub(super) fn srun_arguments(family: Family, options: &Options) -> Vec<OsString> {
    // With the wrong one of the two, every process is rank 0 of 1, and no error is reported.
    let wire_up = if family == Family::OpenMpi { "pmix" } else { "pmi2" };
    // -K: without it the others wait for ever when one rank dies.
    let mut arguments: Vec<OsString> =
        vec!["-n".into(), options.ranks.to_string().into(), "-K".into(), format!("--mpi={wire_up}").into()];
    if !options.hosts.is_empty() {
        let names =
            options.hosts.iter().map(|host| host.split_once(':').map_or(host.as_str(), |(name, _)| name));
        arguments.extend(["-w".into(), names.collect::<Vec<_>>().join(",").into()]);
    }
    arguments.extend(options.extra.iter().cloned());
    arguments
}

/// `LD_LIBRARY_PATH` with the library folders of this MPI in front, or `None` if it needs no change.
#[must_use]
pub fn library_path(libdirs: &[PathBuf], current: Option<&OsStr>) -> Option<OsString> {
    let current: Vec<PathBuf> = current.map(|paths| split_paths(paths).collect()).unwrap_or_default();
    let mut paths: Vec<PathBuf> =
        libdirs.iter().filter(|dir| !is_searched_anyway(dir) && !current.contains(dir)).cloned().collect();
    if paths.is_empty() {
        return None;
    }
    paths.extend(current);
    join_paths(paths).ok()
}

/// The loader's own folders: in front of the path they would hide what a program's run path names.
fn is_searched_anyway(dir: &Path) -> bool {
    let parent_is_system = matches!(dir.parent().and_then(|p| p.to_str()), Some("/usr/lib" | "/lib"));
    let triple = dir.file_name().is_some_and(|name| name.to_string_lossy().contains("-linux-"));
    matches!(dir.to_str(), Some("/lib" | "/usr/lib" | "/lib64" | "/usr/lib64"))
        || (parent_is_system && triple)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options {
            ranks: 3,
            hosts: vec!["n1:2".into(), "n2".into()],
            genv: vec![("RUST_LOG".into(), "debug".into())],
            extra: vec!["--tag-output".into()],
            ..Options::default()
        }
    }

    #[test]
    fn hosts_and_variables_are_passed_in_each_launchers_words() {
        let (version, situation) = (Version::new(4, 1, 4), Situation::default());
        let open_mpi = mpiexec_arguments(Family::OpenMpi, version, &options(), &situation);
        let expected = "-n 3 --host n1:2,n2 -x RUST_LOG -x LD_LIBRARY_PATH --tag-output";
        assert_eq!(open_mpi.join(OsStr::new(" ")), *expected);
        let hydra = mpiexec_arguments(Family::Mpich, version, &options(), &situation);
        assert_eq!(hydra.join(OsStr::new(" ")), *"-n 3 -hosts n1:2,n2 --tag-output");
        let srun = srun_arguments(Family::Mpich, &options());
        assert_eq!(srun.join(OsStr::new(" ")), *"-n 3 -K --mpi=pmi2 -w n1,n2 --tag-output");
        assert!(srun_arguments(Family::OpenMpi, &options()).contains(&"--mpi=pmix".into()));
    }

    #[test]
    fn open_mpi_5_is_told_as_an_argument_to_share_slots_of_hosts() {
        let crowded = Situation { oversubscribed: true, ..Situation::default() };
        let five = mpiexec_arguments(Family::OpenMpi, Version::new(5, 0, 11), &options(), &crowded);
        assert!(five.contains(&"slot:OVERSUBSCRIBE".into()));
    }

    #[test]
    fn library_folders_come_first_once_and_never_the_loaders_own() {
        let path = |dirs: &[&str], current: Option<&str>| {
            let dirs: Vec<PathBuf> = dirs.iter().map(PathBuf::from).collect();
            library_path(&dirs, current.map(OsStr::new)).map(|path| path.into_string().unwrap())
        };
        assert_eq!(path(&["/opt/mpi/lib"], None).as_deref(), Some("/opt/mpi/lib"));
        assert_eq!(path(&["/opt/mpi/lib"], Some("/a:/b")).as_deref(), Some("/opt/mpi/lib:/a:/b"));
        assert_eq!(path(&["/opt/mpi/lib"], Some("/opt/mpi/lib")), None);
        assert_eq!(path(&["/usr/lib/x86_64-linux-gnu", "/usr/lib64"], Some("/a")), None);
        let debian = "/usr/lib/x86_64-linux-gnu/openmpi/lib";
        assert_eq!(path(&[debian], None).as_deref(), Some(debian));
    }
}
