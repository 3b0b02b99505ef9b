//! Learns what an MPI is from its header alone. No MPI program is built or run: the machine that compiles
//! may not be one that can run MPI, or not even of the same architecture.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::advice;
use super::environment::Environment;
use super::failure::Failure;
use super::flags::Flags;
use super::header::{self, Names};
use crate::{Error, Family, Version};

/// What the header says.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Which implementation.
    pub family: Family,
    /// The implementation's own version.
    pub version: Version,
    /// The version of the standard it claims: 3.1, 4.0, …
    pub standard: (u32, u32),
    /// Are handles integers or pointers?
    pub handles: Handles,
    /// Which functions and constants exist.
    pub names: Names,
    /// The `mpi.h` that was read.
    pub header: PathBuf,
    /// The compiler that read it: program and leading arguments.
    pub compiler: Vec<String>,
}

/// What `MPI_Comm` and its like are in C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handles {
    /// `int`: MPICH and its relatives.
    Int,
    /// A pointer: Open MPI and the standard ABI.
    Pointer,
}

/// Each line's first word survives preprocessing, the rest becomes what the header defines. A header may serve two
/// ABIs, and then `MPI_ABI` chooses; or it is the standard's alone, and names no implementation.
const SOURCE: &str = "\
#include <mpi.h>
probe_standard MPI_VERSION MPI_SUBVERSION
probe_openmpi OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION
probe_intel I_MPI_VERSION
probe_mpich MPICH_VERSION
#if defined(MPI_ABI) || !defined(OMPI_MAJOR_VERSION) && !defined(I_MPI_VERSION) && !defined(MPICH_VERSION)
probe_abi MPI_ABI_VERSION MPI_ABI_SUBVERSION
#endif
";

/// Preprocesses `mpi.h` with these flags.
pub(super) fn probe(env: &Environment, flags: &Flags) -> Result<Probe, Failure> {
    let compiler = compiler(env, flags).map_err(Failure::Machine)?;
    let text = preprocess(env, &compiler, flags)?;
    let header = header::location(&text)
        .ok_or_else(|| Failure::NoHeader(format!("`{}` read no mpi.h", compiler.join(" "))))?;
    let standard = answer(&text, "probe_standard").unwrap_or(Version::new(0, 0, 0));
    let (family, version) = family(&text);
    Ok(Probe {
        family,
        version,
        standard: (standard.major, standard.minor),
        handles: if text.contains("typedef int MPI_Comm;") { Handles::Int } else { Handles::Pointer },
        names: header::names(&text),
        header,
        compiler,
    })
}

/// The compiler to use: `CC`, else the system's, else what the wrapper runs. The system's is a GCC or Clang, while
/// a wrapper may run one that lacks the options used here (NVIDIA's); `mpi.h` is the same to both.
fn compiler(env: &Environment, flags: &Flags) -> Result<Vec<String>, Error> {
    let missing = |what: String| Error::new(what).advice(advice::compiler());
    if let Some(cc) = env.get("CC") {
        let words = shlex::split(&cc.to_string_lossy()).unwrap_or_default();
        return resolve(env, words)
            .ok_or_else(|| missing(format!("CC={}: there is no such program", cc.display())));
    }
    let system = ["cc", "gcc", "clang"].map(|name| vec![name.to_owned()]);
    let mut candidates = system.into_iter().chain([flags.compiler.clone()]);
    candidates
        .find_map(|words| resolve(env, words))
        .ok_or_else(|| missing("there is no C compiler (cc, gcc or clang)".to_owned()))
}

/// Replaces the program's name by its path.
fn resolve(env: &Environment, words: Vec<String>) -> Option<Vec<String>> {
    let (program, arguments) = words.split_first()?;
    let path = env.which(program)?.to_string_lossy().into_owned();
    Some([&[path], arguments].concat())
}

fn preprocess(env: &Environment, compiler: &[String], flags: &Flags) -> Result<String, Failure> {
    let failed =
        |why: String| Failure::NoHeader(format!("`{}` cannot read mpi.h: {why}", compiler.join(" ")));
    let mut child = env
        .command(Path::new(&compiler[0]))
        .args(&compiler[1..])
        .args(["-E", "-dD", "-x", "c"])
        .args(flags.preprocessor_args())
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A compiler that dies early closes the pipe; its own message, read below, says more than ours would.
        let _ = stdin.write_all(SOURCE.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(failed(super::first_line(&output.stderr)))
}

/// The numbers behind one of [`SOURCE`]'s words; `None` if the header does not define them.
fn answer(text: &str, word: &str) -> Option<Version> {
    let line = text.lines().rev().find_map(|line| line.strip_prefix(word))?;
    let numbers: Vec<&str> = line.split_whitespace().map(|text| text.trim_matches('"')).collect();
    Version::parse(&numbers.join("."))
}

/// MPICH's derivatives keep `MPICH_VERSION`, so the more special names are asked first.
fn family(text: &str) -> (Family, Version) {
    let questions = [
        ("probe_abi", Family::Abi),
        ("probe_openmpi", Family::OpenMpi),
        ("probe_intel", Family::Intel),
        ("probe_mpich", Family::Mpich),
    ];
    let mut answers = questions.into_iter().filter_map(|(word, family)| Some((family, answer(text, word)?)));
    answers.next().unwrap_or((Family::Unknown, Version::new(0, 0, 0)))
}
