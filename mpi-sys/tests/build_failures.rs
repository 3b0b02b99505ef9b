//! What the build script says when it cannot do its work: one short message, exit code 1, no backtrace.
//!
//! The script itself is run, under other circumstances than those of the build that made it.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs the build script with these variables changed.
fn script(variables: &[(&str, &str)]) -> Output {
    let out_dir = tempfile::tempdir().expect("a temporary folder");
    Command::new(env!("MPI_SYS_BUILD_SCRIPT"))
        .env_remove("MPI_SYS_STUB")
        .env("OUT_DIR", out_dir.path())
        // What the cc crate insists on.
        .envs([("TARGET", target()), ("HOST", target())])
        .envs([("OPT_LEVEL", "0"), ("DEBUG", "false")])
        .envs([
            ("CARGO_CFG_TARGET_ARCH", std::env::consts::ARCH),
            ("CARGO_CFG_TARGET_OS", std::env::consts::OS),
        ])
        .env("MPICC", mpi_sys::MPICC)
        .envs(variables.iter().copied())
        .output()
        .expect("the build script starts")
}

/// The host, near enough for a compiler that is not crossing.
fn target() -> String {
    let system = if cfg!(target_os = "macos") { "apple-darwin" } else { "unknown-linux-gnu" };
    format!("{}-{system}", std::env::consts::ARCH)
}

fn failure(variables: &[(&str, &str)]) -> String {
    let output = script(variables);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("mpi-sys: "), "{message}");
    assert!(!message.contains("panicked") && !message.contains("backtrace"), "{message}");
    message
}

fn executable(dir: &TempDir, name: &str, body: &str) -> String {
    let path = dir.path().join(name);
    fake_program::write(&path, body);
    path.display().to_string()
}

#[test]
fn under_the_circumstances_of_the_build_it_succeeds() {
    let output = script(&[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn mpicc_is_gcc() {
    let message = failure(&[("MPICC", "gcc")]);
    assert!(
        message.contains("MPICC=gcc: ") && message.contains("Set MPICC to an MPI compiler wrapper"),
        "{message}"
    );
}

#[test]
fn mpicc_does_not_exist() {
    let message = failure(&[("MPICC", "/no/such/mpicc")]);
    assert!(message.contains("MPICC=/no/such/mpicc: there is no such program"), "{message}");
}

#[test]
fn no_headers() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mpicc = executable(&dir, "mpicc", "echo cc -I/nowhere -lmpi");
    let message = failure(&[("MPICC", &mpicc)]);
    assert!(message.contains("cannot read mpi.h") && message.contains("cargo mpi setup"), "{message}");
}

#[test]
fn no_libclang() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let dir = dir.path().display().to_string();
    let message = failure(&[("LIBCLANG_PATH", &dir)]);
    assert!(message.contains("libclang") && message.contains("libclang-dev"), "{message}");
    assert!(message.contains("set LIBCLANG_PATH to the folder"), "{message}");
}

#[test]
fn libclang_without_its_own_headers() {
    let output = script(&[("BINDGEN_EXTRA_CLANG_ARGS", "-nobuiltininc")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn no_c_compiler() {
    let message = failure(&[("CC", "/no/such/cc")]);
    assert!(message.contains("CC=/no/such/cc: there is no such program"), "{message}");
    assert!(message.contains("apt-get install gcc"), "{message}");
}

#[test]
fn a_compiler_that_only_preprocesses() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let cc = executable(
        &dir,
        "cc",
        "case \"$*\" in *-E*) exec gcc \"$@\";; esac; echo no such subprogram >&2; exit 1",
    );
    let message = failure(&[("CC", &cc)]);
    assert!(message.contains("the C compiler cannot compile"), "{message}");
}

#[test]
fn a_path_with_a_space() {
    if mpi_sys::MPICC.is_empty() {
        println!("skipped: this MPI was found without a wrapper");
        return;
    }
    let dir = tempfile::tempdir().expect("a temporary folder");
    let include = dir.path().join("my mpi");
    symlink(header_dir(), &include).expect("a link");
    let show = Command::new(mpi_sys::MPICC).arg("-show").output().expect("the wrapper").stdout;
    let show = String::from_utf8_lossy(&show).into_owned();
    let body = format!("cat <<'END'\ncc -I\"{}\" {}\nEND", include.display(), without_compiler(&show));
    let mpicc = executable(&dir, "mpicc", &body);
    let output = script(&[("MPICC", &mpicc)]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains(&format!("rerun-if-changed={}/mpi.h", include.display())), "{stdout}");
}

#[test]
fn without_mpi_there_is_the_stub() {
    let output =
        script(&[("MPI_SYS_STUB", "1"), ("PATH", "/nowhere"), ("LIBCLANG_PATH", "/nowhere"), ("MPICC", "")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("cargo::rustc-env=MPI_SYS_FAMILY=stub"), "{stdout}");
    assert!(!stdout.contains("rustc-link"), "nothing may be linked: {stdout}");
    let functions = stdout.lines().find_map(|line| line.strip_prefix("cargo::metadata=FUNCTIONS="));
    let count = functions.map(|names| names.split(' ').count());
    assert!(count > Some(600), "{count:?} functions");
}

#[test]
fn it_runs_again_when_anything_it_read_changes() {
    let stdout = String::from_utf8_lossy(&script(&[]).stdout).into_owned();
    for variable in
        ["MPICC", "MPI_HOME", "PATH", "CC", "LIBCLANG_PATH", "PKG_CONFIG_PATH", "MPI_SYS_STUB", "DOCS_RS"]
    {
        assert!(stdout.contains(&format!("rerun-if-env-changed={variable}\n")), "{variable}");
    }
    assert!(stdout.contains(&format!("rerun-if-changed={}", mpi_sys::MPICC)), "{stdout}");
}

/// The folder of the header this crate was built with.
fn header_dir() -> std::path::PathBuf {
    use mpi_config::find::{Environment, find};
    let found = find(&Environment::of_process().with("MPICC", mpi_sys::MPICC)).expect("the MPI of the build");
    found.probe.header.parent().map(Path::to_path_buf).expect("a folder")
}

/// A compiler command line without the compiler.
fn without_compiler(show: &str) -> &str {
    show.trim().split_once(' ').map_or("", |(_, options)| options)
}
