//! Places where an MPI may be, in the order they are tried.

use std::path::PathBuf;

use super::environment::Environment;

/// One place to look, not yet looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Candidate {
    /// `MPICC` is set to this.
    Mpicc(String),
    /// A variable names the folder MPI was installed into.
    Prefix { variable: &'static str, dir: PathBuf },
    /// A wrapper of this name on `PATH`.
    OnPath(&'static str),
    /// A pkg-config package.
    PkgConfig(&'static str),
    /// A folder where distributions put MPI.
    Usual(PathBuf),
}

/// Variables that name a prefix, and whether a user sets them with us in mind. The others are set by
/// environments that are loaded for other reasons too.
const PREFIX_VARIABLES: [(&str, bool); 4] =
    [("MPI_HOME", true), ("MPI_ROOT", true), ("I_MPI_ROOT", false), ("CRAY_MPICH_DIR", false)];

/// Wrappers under the names Debian gives them to keep several MPIs apart.
pub(super) const SIDE_BY_SIDE: [Candidate; 2] =
    [Candidate::OnPath("mpicc.openmpi"), Candidate::OnPath("mpicc.mpich")];

/// Everything to try for a build.
pub(super) fn for_build(env: &Environment) -> Vec<Candidate> {
    let mpicc = env.get("MPICC").map(|value| Candidate::Mpicc(value.to_string_lossy().into_owned()));
    let prefixes = PREFIX_VARIABLES
        .into_iter()
        .filter_map(|(variable, _)| Some(Candidate::Prefix { variable, dir: env.get(variable)?.into() }));
    let packages = ["ompi-c", "ompi", "mpich", "cray-mpich"].map(Candidate::PkgConfig);
    let usual = env.prefixes().iter().cloned().map(Candidate::Usual);
    mpicc
        .into_iter()
        .chain(prefixes)
        .chain([Candidate::OnPath("mpicc")])
        .chain(packages)
        .chain(usual)
        .collect()
}

impl Candidate {
    /// Did the user name it? Then its failure ends the search, and this is what he should have named.
    pub(super) fn required(&self) -> Option<&'static str> {
        match self {
            Candidate::Mpicc(_) => Some("an MPI compiler wrapper, such as /opt/openmpi/bin/mpicc"),
            Candidate::Prefix { variable, .. } if PREFIX_VARIABLES.contains(&(variable, true)) => {
                Some("the folder MPI was installed into, the one with bin/mpicc")
            }
            _ => None,
        }
    }

    /// What is tried, in the user's words.
    pub(super) fn source(&self) -> String {
        match self {
            Candidate::Mpicc(value) => format!("MPICC={value}"),
            Candidate::Prefix { variable, dir } => format!("{variable}={}", dir.display()),
            Candidate::OnPath(name) => format!("{name} on PATH"),
            Candidate::PkgConfig(name) => format!("pkg-config {name}"),
            Candidate::Usual(dir) => dir.display().to_string(),
        }
    }
}
