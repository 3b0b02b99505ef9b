//! Everything this build script tells cargo.

use std::path::{Path, PathBuf};

use mpi_config::find::{Flags, Installation, VARIABLES};

use crate::names::{self, Present};

/// Variables that bindgen, clang-sys and this script read, besides those of the search.
const OTHER_VARIABLES: [&str; 7] = [
    "MPI_SYS_STUB",
    "DOCS_RS",
    "LIBCLANG_PATH",
    "LLVM_CONFIG_PATH",
    "CLANG_PATH",
    "BINDGEN_EXTRA_CLANG_ARGS",
    "CFLAGS",
];

/// Debian rewrites this file when `update-alternatives` points `mpicc` at another MPI. The files behind the
/// link are old by then, so watching them would miss the change.
const ALTERNATIVES: &str = "/var/lib/dpkg/alternatives/mpi";

/// When to run again, whatever is found.
pub fn reruns() {
    // Lets the tests run this very script under other circumstances.
    if let Ok(script) = std::env::current_exe() {
        println!("cargo::rustc-env=MPI_SYS_BUILD_SCRIPT={}", script.display());
    }
    for variable in VARIABLES.iter().chain(&OTHER_VARIABLES) {
        println!("cargo::rerun-if-env-changed={variable}");
    }
}

/// What the user might not expect.
pub fn warnings(found: &Installation) {
    for reason in &found.passed_over {
        println!("cargo::warning=binding to {} instead of {reason}", found.source);
    }
}

/// When to run again, given what was found.
pub fn files(found: &Installation) {
    let alternatives = Some(PathBuf::from(ALTERNATIVES)).filter(|file| file.exists());
    for file in found.mpicc.iter().chain([&found.probe.header]).chain(&alternatives) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
}

/// How to link.
pub fn link(flags: &Flags) {
    for dir in &flags.libdirs {
        println!("cargo::rustc-link-search=native={}", dir.display());
    }
    for file in &flags.files {
        let (Some(dir), Some(name)) = (file.parent(), file.file_name()) else { continue };
        println!("cargo::rustc-link-search=native={}", dir.display());
        let kind = if file.extension().is_some_and(|end| end == "a") { "static" } else { "dylib" };
        println!("cargo::rustc-link-lib={kind}:+verbatim={}", name.display());
    }
    for library in &flags.libs {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
    // rustc does not copy a wrapper's rpath, and link arguments do not reach dependent crates: this one serves
    // the tests of this package, DEP_MPI_LIBDIRS serves the others.
    for dir in flags.runtime_dirs() {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", dir.display());
    }
}

/// What a build found out, or pretends to have.
#[derive(Debug, Default)]
pub struct Facts<'a> {
    pub family: &'a str,
    pub abi: &'a str,
    pub impl_version: String,
    pub std_version: String,
    pub mpiexec: String,
    pub prefix: String,
    pub libdirs: String,
    pub mpicc: String,
    pub includes: String,
    pub functions: Vec<&'a str>,
    pub constants: Vec<&'a str>,
}

impl<'a> Facts<'a> {
    /// The facts about a real MPI.
    pub fn of(found: &'a Installation, present: &Present) -> Self {
        let path = |path: &Option<PathBuf>| path.as_deref().map(display).unwrap_or_default();
        let (major, minor) = found.probe.standard;
        Facts {
            family: found.probe.family.name(),
            abi: found.probe.family.abi().name(),
            impl_version: found.probe.version.to_string(),
            std_version: format!("{major}.{minor}"),
            mpiexec: path(&found.mpiexec),
            prefix: path(&found.prefix),
            libdirs: join(&found.flags.runtime_dirs()),
            mpicc: path(&found.mpicc),
            includes: join(&found.flags.includes),
            functions: found.probe.names.functions.iter().map(String::as_str).collect(),
            constants: present.names(),
        }
    }
}

/// Publishes the facts: as `env!` for this crate and for `cargo mpi`, as `DEP_MPI_*` for dependent build scripts.
pub fn facts(facts: &Facts<'_>) {
    let shared = [
        ("FAMILY", facts.family),
        ("IMPL_VERSION", &facts.impl_version),
        ("STD_VERSION", &facts.std_version),
        ("MPIEXEC", &facts.mpiexec),
        ("PREFIX", &facts.prefix),
        ("LIBDIRS", &facts.libdirs),
        ("MPICC", &facts.mpicc),
    ];
    for (key, value) in shared {
        println!("cargo::rustc-env=MPI_SYS_{key}={value}");
        println!("cargo::metadata={key}={value}");
    }
    println!("cargo::metadata=ABI={}", facts.abi);
    println!("cargo::metadata=INCLUDES={}", facts.includes);
    println!("cargo::metadata=FUNCTIONS={}", facts.functions.join(" "));
    println!("cargo::metadata=CONSTANTS={}", facts.constants.join(" "));
    println!("cargo::metadata=KNOWN={}", names::known().join(" "));
}

fn join(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| display(path)).collect::<Vec<_>>().join(":")
}

fn display(path: &Path) -> String {
    path.display().to_string()
}
