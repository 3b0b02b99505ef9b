//! The launcher of one MPI, and what a user may ask of it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::arguments::{library_path, mpiexec_arguments, srun_arguments};
use super::job::{Job, Output};
use super::settings::settings;
use super::situation::Situation;
use crate::{Error, Family, Version};

/// Everything that belongs to starting programs of one MPI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// Which implementation.
    pub family: Family,
    /// Its version, all zeros where unknown.
    pub version: Version,
    /// Its `mpiexec`; empty where there is none and Slurm's `srun` starts all jobs.
    pub mpiexec: PathBuf,
    /// Folders of its run-time libraries: users' programs do not inherit the run path of `mpi-sys`.
    pub libdirs: Vec<PathBuf>,
    /// Where it is installed, if that is one folder.
    pub prefix: Option<PathBuf>,
}

/// What to start, apart from the program.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of processes.
    pub ranks: usize,
    /// Hosts, each `name` or `name:slots`; none means this machine, or Slurm's allocation.
    pub hosts: Vec<String>,
    /// Variables for the ranks.
    pub genv: Vec<(String, String)>,
    /// Further arguments for the launcher, passed through as they are.
    pub extra: Vec<OsString>,
    /// The job is ended when it takes longer; `None` waits for ever.
    pub timeout: Option<Duration>,
    /// Inside a Slurm allocation, start with `srun`.
    pub srun: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { ranks: 1, hosts: Vec::new(), genv: Vec::new(), extra: Vec::new(), timeout: None, srun: true }
    }
}

impl Launcher {
    /// From the strings that `mpi-sys` exports (`MPI_SYS_FAMILY`, `MPI_SYS_IMPL_VERSION`, `MPI_SYS_MPIEXEC`,
    /// `MPI_SYS_LIBDIRS`, `MPI_SYS_PREFIX`).
    ///
    /// # Errors
    /// One line that says what to do, if no launcher is known or no MPI was linked.
    pub fn from_parts(
        family: &str,
        version: &str,
        mpiexec: &str,
        libdirs: &str,
        prefix: &str,
    ) -> Result<Self, Error> {
        if family == "stub" {
            return Err(Error::new("mpi-sys was built in stub mode, without an MPI")
                .advice("unset MPI_SYS_STUB and build again"));
        }
        if mpiexec.is_empty() && !srun_will_do() {
            return Err(Error::new(format!(
                "no launcher was found beside the MPI that was linked ({family} {version})"
            ))
            .advice("install its launcher and build again, or name one: cargo mpi run --launcher MPIEXEC"));
        }
        Ok(Self {
            family: Family::from_name(family).unwrap_or(Family::Unknown),
            version: Version::parse(version).unwrap_or(Version::new(0, 0, 0)),
            mpiexec: mpiexec.into(),
            libdirs: std::env::split_paths(libdirs).filter(|dir| !dir.as_os_str().is_empty()).collect(),
            prefix: (!prefix.is_empty()).then(|| prefix.into()),
        })
    }

    /// That of an installation; `None` if it has no launcher and needs one.
    #[cfg(feature = "find")]
    #[must_use]
    pub fn of(installation: &crate::find::Installation) -> Option<Self> {
        Some(Self {
            family: installation.probe.family,
            version: installation.probe.version,
            mpiexec: installation.mpiexec.clone().or_else(|| srun_will_do().then(PathBuf::new))?,
            libdirs: installation.flags.runtime_dirs(),
            prefix: installation.prefix.clone(),
        })
    }

    /// The command that starts `program`, in the situation this process is in.
    #[must_use]
    pub fn command(&self, options: &Options, program: &Path, args: &[OsString]) -> Command {
        self.command_in(&Situation::observe(options), options, program, args)
    }

    /// The command that starts `program` in a given situation.
    #[must_use]
    pub fn command_in(
        &self,
        situation: &Situation,
        options: &Options,
        program: &Path,
        args: &[OsString],
    ) -> Command {
        let mut command = if situation.slurm {
            let mut srun = Command::new("srun");
            srun.args(srun_arguments(self.family, options));
            srun
        } else {
            let mut mpiexec = Command::new(&self.mpiexec);
            mpiexec.args(mpiexec_arguments(self.family, self.version, options, situation));
            mpiexec
        };
        command.arg(program).args(args);
        command.envs(settings(self.family, self.version, situation));
        if let Some(path) = library_path(&self.libdirs, situation.variable("LD_LIBRARY_PATH")) {
            command.env("LD_LIBRARY_PATH", path);
        }
        // Intel's wrapper scripts and libraries find their own files through it.
        if self.family == Family::Intel && situation.variable("I_MPI_ROOT").is_none() {
            command.envs(self.prefix.iter().map(|prefix| (OsStr::new("I_MPI_ROOT"), prefix.as_os_str())));
        }
        command.envs(options.genv.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Starts `program` and watches it.
    ///
    /// # Errors
    /// If the launcher cannot be started.
    pub fn start(
        &self,
        options: &Options,
        program: &Path,
        args: &[OsString],
        output: Output,
    ) -> io::Result<Job> {
        Job::spawn(self.command(options, program, args), output, options.timeout)
    }
}

/// Whether jobs are started without `mpiexec`: on some sites, such as Cray's, there is none.
fn srun_will_do() -> bool {
    Situation::observe(&Options::default()).slurm
}
