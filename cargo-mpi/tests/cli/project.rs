//! A cargo project in a temporary folder, whose `mpi-sys` is a stand-in: its build script says what a real one would,
//! and links nothing, so that these tests build in a second. The launcher is the machine's own.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// What the program does is its first argument.
const MAIN: &str = r#"
use std::time::Duration;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rank = ["OMPI_COMM_WORLD_RANK", "PMI_RANK"].iter().find_map(|name| std::env::var(name).ok());
    let rank = rank.expect("no launcher");
    match args[0].as_str() {
        "args" => println!("rank {rank} got {:?}", &args[1..]),
        "env" => println!("{:?} {:?}", std::env::var(&args[1]).ok(), std::env::var("CARGO_PKG_NAME").ok()),
        "exit" if rank == "1" => std::process::exit(7),
        "sleep" => { println!("ready"); std::thread::sleep(Duration::from_secs(60)) }
        _ => {}
    }
}
"#;

const TESTS: &str = r#"
#[test] fn good() {}
#[test] fn bad() { assert!(std::env::var("BAD").is_err()); }
#[test] fn dead() { if std::env::var("DEAD").is_ok() { std::process::abort() } }
"#;

/// A project with the program `program`, its test file, and a stand-in for `mpi-sys` unless that is left out.
pub struct Project {
    folder: TempDir,
}

impl Project {
    pub fn new(with_mpi: bool) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        let dependency = if with_mpi { "[dependencies]\nmpi-sys = { path = 'sys' }\n" } else { "" };
        let package =
            |name: &str| format!("[package]\nname = '{name}'\nversion = '0.1.0'\nedition = '2024'\n");
        project.write("Cargo.toml", &format!("{}{dependency}[workspace]\n", package("program")));
        project.write("src/main.rs", MAIN);
        project.write("tests/all.rs", TESTS);
        if with_mpi {
            project.write("sys/Cargo.toml", &package("mpi-sys"));
            project.write("sys/src/lib.rs", "");
            project.write("sys/build.rs", &build_script());
        }
        project
    }

    pub fn write(&self, file: &str, text: &str) {
        let file = self.folder.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub fn write_program(&self, file: &str, text: &str) {
        fake_program::write(&self.path().join(file), text);
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-mpi"));
        command.args(line.split_whitespace()).current_dir(self.path()).stdin(Stdio::null());
        for name in ["CARGO_TARGET_DIR", "MPICC"] {
            command.env_remove(name);
        }
        // What whoever runs these tests ignores, the tool would ignore too.
        let heed_signals = || {
            for signal in [libc::SIGINT, libc::SIGTERM] {
                // SAFETY: the default action runs no code.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            Ok(())
        };
        // SAFETY: makes system calls alone, as a child may before exec.
        unsafe { command.pre_exec(heed_signals) };
        command
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// How many processes run the program.
    pub fn running(&self) -> usize {
        let program = self.path().join("target/debug/program");
        let processes = fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter(|process| fs::read_link(process.path().join("exe")).is_ok_and(|file| file == program))
            .count()
    }

    /// Waits until so many processes run the program; whether that came true within thirty seconds.
    pub fn comes_to_run(&self, count: usize) -> bool {
        let started = Instant::now();
        while self.running() != count {
            if started.elapsed() > Duration::from_secs(30) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }
}

fn build_script() -> String {
    let (family, mpiexec) = launcher().expect("install an MPI to run these tests: cargo mpi setup");
    format!(
        r#"fn main() {{
    println!("cargo::rustc-env=MPI_SYS_FAMILY={family}");
    println!("cargo::rustc-env=MPI_SYS_IMPL_VERSION=4.1.4");
    println!("cargo::rustc-env=MPI_SYS_MPIEXEC={mpiexec}");
    println!("cargo::rustc-env=MPI_SYS_LIBDIRS=/opt/stand-in/lib");
    println!("cargo::rustc-env=MPI_SYS_PREFIX=");
    println!("cargo::rerun-if-changed=build.rs");
}}"#,
        mpiexec = mpiexec.display()
    )
}

/// The launcher of the MPI that a build would use.
fn launcher() -> Option<(&'static str, PathBuf)> {
    let found = mpi_config::find::find(&mpi_config::find::Environment::of_process()).ok()?;
    Some((found.probe.family.name(), found.mpiexec?))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
