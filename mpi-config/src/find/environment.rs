//! The environment a search looks at: the process's own, or one a test makes up.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Every variable a search may read, itself or through a wrapper: what a build script has to name in `rerun-if-env-changed`.
pub const VARIABLES: &[&str] = &[
    "MPICC",
    "MPI_HOME",
    "MPI_ROOT",
    "I_MPI_ROOT",
    "CRAY_MPICH_DIR",
    "PATH",
    "CC",
    "OMPI_CC",
    "MPICH_CC",
    "I_MPI_CC",
    "MPICC_PROFILE",
    "OMPI_CPPFLAGS",
    "OMPI_CFLAGS",
    "OMPI_LDFLAGS",
    "OMPI_LIBS",
    "OPAL_PREFIX",
    "PKG_CONFIG",
    "PKG_CONFIG_PATH",
    "PKG_CONFIG_LIBDIR",
    "PKG_CONFIG_SYSROOT_DIR",
];

/// Environment variables, and the folders looked into when they say nothing.
#[derive(Debug, Clone)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    prefixes: Vec<PathBuf>,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        let usual = [
            "/usr/lib64/openmpi",
            "/usr/lib64/mpich",
            "/usr/lib64/mpi/gcc/openmpi4",
            "/usr/lib64/mpi/gcc/mpich",
            "/opt/openmpi",
            "/opt/mpich",
            "/opt/intel/oneapi/mpi/latest",
            "/opt/homebrew",
            "/usr/local",
            "/usr",
        ];
        Environment {
            variables: std::env::vars_os().collect(),
            prefixes: usual.into_iter().map(PathBuf::from).collect(),
        }
    }

    /// An environment of nothing but these variables and prefixes.
    pub fn new<K, V>(variables: impl IntoIterator<Item = (K, V)>, prefixes: Vec<PathBuf>) -> Self
    where
        K: Into<OsString>,
        V: Into<OsString>,
    {
        let variables = variables.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
        Environment { variables, prefixes }
    }

    /// The same environment with one variable set.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The value of a variable, unless it is unset or empty.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// Folders that hold an MPI on the distributions we know.
    pub fn prefixes(&self) -> &[PathBuf] {
        &self.prefixes
    }

    /// The program of that name: itself if it is a path, else the first on `PATH`.
    pub fn which(&self, program: impl AsRef<OsStr>) -> Option<PathBuf> {
        let program = Path::new(program.as_ref());
        if program.components().count() > 1 {
            return is_executable(program).then(|| program.to_path_buf());
        }
        let path = self.get("PATH")?;
        std::env::split_paths(path).map(|dir| dir.join(program)).find(|file| is_executable(file))
    }

    /// A command that sees this environment and no other.
    pub fn command(&self, program: &Path) -> std::process::Command {
        let mut command = std::process::Command::new(program);
        command.env_clear().envs(&self.variables).stdin(std::process::Stdio::null());
        command
    }
}

/// Is there a file that can be run?
pub(super) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
