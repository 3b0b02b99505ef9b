//! Building with cargo, and reading from its messages what was built and against which MPI.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use cargo_metadata::{Artifact, Message, Metadata, MetadataCommand, TargetKind};
use mpi_config::launch::Launcher;

use crate::choice::Choice;

/// What a build produced.
#[derive(Debug, Default)]
pub struct Built {
    /// The programs, in the order they were finished.
    pub programs: Vec<Program>,
    /// What `mpi-sys` says it was linked with; empty if it is not part of the program.
    mpi: BTreeMap<String, String>,
}

/// A program that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    pub file: PathBuf,
}

impl Built {
    /// The launcher of the MPI that was linked, or another one named for it; `None` if no MPI was linked.
    pub fn launcher(&self, named: Option<&Path>) -> Option<Result<Launcher>> {
        let part = |name: &str| self.mpi.get(name).cloned().unwrap_or_default();
        let launcher = || {
            Launcher::from_parts(
                &part("MPI_SYS_FAMILY"),
                &part("MPI_SYS_IMPL_VERSION"),
                &named.map_or_else(|| part("MPI_SYS_MPIEXEC"), |named| named.to_string_lossy().into_owned()),
                &part("MPI_SYS_LIBDIRS"),
                &part("MPI_SYS_PREFIX"),
            )
        };
        (!self.mpi.is_empty()).then(|| Ok(launcher()?))
    }

    /// Folders of the MPI's libraries.
    pub fn library_folders(&self) -> Vec<PathBuf> {
        self.mpi.get("MPI_SYS_LIBDIRS").map(|dirs| std::env::split_paths(dirs).collect()).unwrap_or_default()
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::BuildScriptExecuted(script) => {
                let variables: BTreeMap<_, _> =
                    script.env.into_iter().filter(|(name, _)| name.starts_with("MPI_SYS_")).collect();
                if !variables.is_empty() {
                    self.mpi = variables;
                }
            }
            Message::CompilerArtifact(artifact) => self.programs.extend(program(artifact)),
            _ => {}
        }
    }
}

/// The program an artifact is, unless it is a library, a build script or a test.
fn program(artifact: Artifact) -> Option<Program> {
    let kinds = &artifact.target.kind;
    let startable = !artifact.profile.test
        && kinds.iter().any(|kind| matches!(kind, TargetKind::Bin | TargetKind::Example));
    let file = artifact.executable.filter(|_| startable)?;
    Some(Program { name: artifact.target.name, file: file.into_std_path_buf() })
}

/// A cargo command that builds with the chosen MPI, in a target directory of its own.
pub fn cargo(subcommand: &str, choice: Option<&Choice>, manifest: Option<&Path>) -> Result<Command> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg(subcommand);
    if let Some(choice) = choice {
        let target = metadata(manifest)?.target_directory.join(format!("mpi-{}", choice.name));
        cargo.env("MPICC", &choice.mpicc).env("CARGO_TARGET_DIR", target);
    }
    Ok(cargo)
}

/// The workspace, without its dependencies.
pub fn metadata(manifest: Option<&Path>) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.no_deps();
    if let Some(manifest) = manifest {
        command.manifest_path(manifest);
    }
    command.exec().context("cargo cannot read this folder's Cargo.toml")
}

/// Builds; `None` if that failed, which cargo has then explained.
pub fn build(mut cargo: Command, args: &[OsString]) -> Result<Option<Built>> {
    let mut child = cargo
        .arg("--message-format=json-render-diagnostics")
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", cargo.get_program().display()))?;
    let mut built = Built::default();
    if let Some(stdout) = child.stdout.take() {
        for message in Message::parse_stream(BufReader::new(stdout)) {
            built.take(message.context("cannot read what cargo says")?);
        }
    }
    let status = child.wait().context("cannot wait for cargo")?;
    Ok(status.success().then_some(built))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(lines: &str) -> Built {
        let mut built = Built::default();
        Message::parse_stream(lines.as_bytes()).for_each(|message| built.take(message.unwrap()));
        built
    }

    const SCRIPT: &str = r#"{"reason":"build-script-executed","package_id":"path+file:///w/mpi-sys#0.1.0","linked_libs":["mpi"],"linked_paths":[],"cfgs":[],"env":[["MPI_SYS_FAMILY","mpich"],["MPI_SYS_IMPL_VERSION","5.0.2"],["MPI_SYS_MPIEXEC","/o/bin/mpiexec"],["MPI_SYS_LIBDIRS","/o/lib:/o/lib2"],["MPI_SYS_PREFIX","/o"]],"out_dir":"/w/out"}"#;

    #[test]
    fn the_mpi_that_was_linked_is_read_from_cargos_messages() {
        let other = SCRIPT.replace("MPI_SYS_", "OTHER_");
        let built = built(&format!("{SCRIPT}\n{other}\n"));
        let launcher = built.launcher(None).unwrap().unwrap();
        assert_eq!(launcher.mpiexec, Path::new("/o/bin/mpiexec"));
        let named = built.launcher(Some(Path::new("/x"))).unwrap().unwrap();
        assert_eq!(named, Launcher { mpiexec: "/x".into(), ..launcher.clone() });
        assert_eq!(launcher.version, mpi_config::Version::new(5, 0, 2));
        assert_eq!(built.library_folders(), [Path::new("/o/lib"), Path::new("/o/lib2")]);
    }

    #[test]
    fn a_program_without_mpi_has_no_launcher() {
        assert!(built("").launcher(None).is_none());
    }

    #[test]
    fn programs_are_told_from_tests_and_build_scripts() {
        let artifact = |kind: &str, test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"p","manifest_path":"/w/Cargo.toml","target":{{"kind":["{kind}"],"crate_types":["bin"],"name":"{kind}","src_path":"/w/a.rs","edition":"2024","doc":true,"doctest":false,"test":true}},"profile":{{"opt_level":"0","debuginfo":2,"debug_assertions":true,"overflow_checks":true,"test":{test}}},"features":[],"filenames":["/w/a"],"executable":"/w/a","fresh":true}}"#
            )
        };
        let lines = [
            artifact("bin", false),
            artifact("example", false),
            artifact("bin", true),
            artifact("custom-build", false),
        ];
        let names: Vec<_> =
            built(&lines.join("\n")).programs.into_iter().map(|program| program.name).collect();
        assert_eq!(names, ["bin", "example"]);
    }
}
