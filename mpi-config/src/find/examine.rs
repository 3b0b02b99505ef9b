//! Looks at one candidate: runs its wrapper or pkg-config, reads its header, finds its launcher.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::candidate::Candidate;
use super::environment::{Environment, is_executable};
use super::failure::Failure;
use super::flags::Flags;
use super::{Installation, launcher, probe, wrapper};

impl Candidate {
    /// Finds out what is there.
    pub(super) fn examine(&self, env: &Environment) -> Result<Installation, Failure> {
        let found = match self {
            Candidate::Mpicc(value) => on_path(env, value),
            Candidate::OnPath(name) => on_path(env, name),
            Candidate::Prefix { dir, .. } | Candidate::Usual(dir) => in_prefix(env, dir),
            Candidate::PkgConfig(package) => from_package(env, package),
        };
        found.map(|found| Installation { source: self.source(), ..found })
    }
}

fn on_path(env: &Environment, name: &str) -> Result<Installation, Failure> {
    match env.which(name) {
        Some(mpicc) => from_wrapper(env, mpicc),
        None => Err(Failure::Absent("there is no such program".into())),
    }
}

fn from_wrapper(env: &Environment, mpicc: PathBuf) -> Result<Installation, Failure> {
    let prefix = wrapper::prefix(&mpicc);
    let flags = with_header_dir(wrapper::show(env, &mpicc)?, prefix.as_deref());
    let mpiexec = launcher::beside_wrapper(&mpicc);
    installation(env, Some(mpicc), prefix, flags, |_| mpiexec)
}

/// A folder with `bin/mpicc`, or at least with a header and a library.
fn in_prefix(env: &Environment, dir: &Path) -> Result<Installation, Failure> {
    let mpicc = dir.join("bin/mpicc");
    if is_executable(&mpicc) {
        return from_wrapper(env, mpicc);
    }
    let places = ["lib64", "lib"].into_iter().flat_map(|lib| [(lib, "mpi"), (lib, "mpich")]);
    let mut found = places.filter(|(lib, name)| dir.join(lib).join(format!("lib{name}.so")).exists());
    let (lib, name) =
        found.next().ok_or_else(|| Failure::Absent("neither bin/mpicc nor lib/libmpi.so is there".into()))?;
    let libdirs = vec![dir.join(lib)];
    let flags = Flags { rpaths: libdirs.clone(), libdirs, libs: vec![name.into()], ..Flags::default() };
    let flags = with_header_dir(flags, Some(dir));
    installation(env, None, Some(dir.to_path_buf()), flags, |probe| {
        launcher::in_bin(&dir.join("bin"), probe.family)
    })
}

fn from_package(env: &Environment, package: &str) -> Result<Installation, Failure> {
    let program = env.which(env.get("PKG_CONFIG").unwrap_or(OsStr::new("pkg-config")));
    let program = program.ok_or_else(|| Failure::Absent("pkg-config is not installed".into()))?;
    let ask = |options: &[&str]| {
        // System folders are hidden by default, and a distribution may keep MPI there.
        let output = env
            .command(&program)
            .env("PKG_CONFIG_ALLOW_SYSTEM_CFLAGS", "1")
            .env("PKG_CONFIG_ALLOW_SYSTEM_LIBS", "1")
            .args(options)
            .arg(package)
            .output()
            .ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let line =
        ask(&["--cflags", "--libs"]).ok_or_else(|| Failure::Absent("there is no such package".into()))?;
    let flags = Flags::parse(&line)
        .ok_or_else(|| Failure::Unusable(format!("pkg-config printed an unclosed quote: {line}")))?;
    let prefix = ask(&["--variable=prefix"]).filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let bin = prefix.as_deref().map(|dir| dir.join("bin"));
    installation(env, None, prefix, flags, |probe| launcher::in_bin(&bin?, probe.family))
}

/// Reads the header and puts everything together.
fn installation(
    env: &Environment,
    mpicc: Option<PathBuf>,
    prefix: Option<PathBuf>,
    flags: Flags,
    mpiexec: impl FnOnce(&probe::Probe) -> Option<PathBuf>,
) -> Result<Installation, Failure> {
    let probe = probe::probe(env, &flags)?;
    let mpiexec = mpiexec(&probe);
    let prefix = prefix.filter(|dir| !is_shared(dir));
    Ok(Installation { source: String::new(), mpicc, flags, probe, mpiexec, prefix, passed_over: Vec::new() })
}

/// Wrappers that leave the header to the compiler's default folders still mean their own header.
fn with_header_dir(mut flags: Flags, prefix: Option<&Path>) -> Flags {
    let named = flags.includes.iter().any(|dir| dir.join("mpi.h").is_file());
    if let Some(include) = prefix.map(|dir| dir.join("include"))
        && !named
        && include.join("mpi.h").is_file()
    {
        flags.includes.push(include);
    }
    flags
}

/// Folders that hold much else besides MPI.
fn is_shared(prefix: &Path) -> bool {
    ["/usr", "/usr/local", "/opt/homebrew"].iter().any(|shared| prefix == Path::new(shared))
}
