//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

/// Builds, launches, tests and diagnoses MPI programs
#[derive(Debug, Parser)]
#[command(name = "cargo mpi", bin_name = "cargo mpi", version, about)]
pub struct Cli {
    /// Install what is missing (an MPI, libclang, a C compiler) with the system's package manager first
    #[arg(long, global = true)]
    pub setup: bool,

    /// MPI to use: openmpi, mpich, intel, the folder of an installation, or a compiler wrapper.
    /// Each gets a target directory of its own, target/mpi-NAME
    #[arg(long, global = true, value_name = "MPI")]
    pub mpi: Option<String>,

    #[command(subcommand)]
    pub action: Action,
}

#[derive(Debug, Subcommand)]
pub enum Action {
    /// Build a program and start it with the launcher of the MPI it was linked with
    Run(Box<Run>),
    /// Run the tests, those of `mpi-test` on several ranks, and add up the results
    Test(Test),
    /// Say what is installed, what a build would use, and how to mend what is wrong
    Doctor,
    /// Install what is missing, as --setup does, and stop
    Setup,
}

#[derive(Debug, Args)]
pub struct Run {
    /// Number of ranks [default: that of the Slurm allocation, else 1]
    #[arg(short = 'n', long = "ranks", value_name = "N")]
    pub ranks: Option<usize>,

    /// Hosts to run on, e.g. a,b:2
    #[arg(long, value_delimiter = ',', value_name = "HOST[:SLOTS]")]
    pub hosts: Vec<String>,

    /// End the job, and everything it started, after so many seconds, with exit code 124
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Variable for the ranks
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub variables: Vec<(String, String)>,

    /// Argument passed through to the launcher; may be repeated
    #[arg(long = "launcher-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub launcher_args: Vec<OsString>,

    /// Launcher to use instead of the one found, also instead of srun
    #[arg(long, value_name = "MPIEXEC")]
    pub launcher: Option<PathBuf>,

    #[command(flatten)]
    pub selection: Selection,

    /// Arguments of the program
    #[arg(last = true)]
    pub args: Vec<OsString>,
}

/// What to build, in cargo's words.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Passed on to cargo build")]
pub struct Selection {
    #[arg(long, conflicts_with = "bin")]
    pub example: Option<String>,
    #[arg(long)]
    pub bin: Option<String>,
    #[arg(short, long)]
    pub package: Option<String>,
    #[arg(short, long)]
    pub release: bool,
    #[arg(long, conflicts_with = "release")]
    pub profile: Option<String>,
    #[arg(short = 'F', long)]
    pub features: Vec<String>,
    #[arg(long)]
    pub all_features: bool,
    #[arg(long)]
    pub no_default_features: bool,
    #[arg(long)]
    pub manifest_path: Option<PathBuf>,
    #[arg(long)]
    pub locked: bool,
    #[arg(long)]
    pub offline: bool,
}

#[derive(Debug, Args)]
pub struct Test {
    /// Arguments of cargo test
    #[arg(allow_hyphen_values = true, value_name = "CARGO TEST ARGS")]
    pub cargo_args: Vec<OsString>,

    /// Arguments of the test programs
    #[arg(last = true, value_name = "TEST PROGRAM ARGS")]
    pub program_args: Vec<OsString>,
}

impl Test {
    /// The arguments of cargo test and those of the test programs.
    pub fn split(&self) -> (&[OsString], &[OsString]) {
        // Once a positional argument that may begin with a hyphen has come, clap takes `--` for another one.
        match self.cargo_args.iter().position(|arg| arg == "--") {
            Some(dashes) => (&self.cargo_args[..dashes], &self.cargo_args[dashes + 1..]),
            None => (&self.cargo_args, &self.program_args),
        }
    }
}

impl Selection {
    /// As arguments of cargo.
    pub fn cargo_args(&self) -> Vec<OsString> {
        let text = |name: &str, value: &Option<String>| {
            value
                .iter()
                .flat_map(|value| [format!("--{name}").into(), value.into()])
                .collect::<Vec<OsString>>()
        };
        let flag = |name: &str, set: bool| set.then(|| OsString::from(format!("--{name}")));
        let mut args = text("example", &self.example);
        args.extend(text("bin", &self.bin));
        args.extend(text("package", &self.package));
        args.extend(text("profile", &self.profile));
        args.extend(self.features.iter().flat_map(|value| ["--features".into(), value.into()]));
        args.extend(flag("release", self.release));
        args.extend(flag("all-features", self.all_features));
        args.extend(flag("no-default-features", self.no_default_features));
        args.extend(flag("locked", self.locked));
        args.extend(flag("offline", self.offline));
        let manifest = self.manifest_path.iter();
        args.extend(manifest.flat_map(|path| ["--manifest-path".into(), path.into()]));
        args
    }
}

/// Cargo calls `cargo-mpi mpi run …` for `cargo mpi run …`; the alias `cargo xmpi` does not.
pub fn without_subcommand_name(args: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    args.enumerate().filter(|(index, arg)| *index != 1 || arg != "mpi").map(|(_, arg)| arg)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Cli {
        let args = format!("cargo-mpi {line}");
        Cli::try_parse_from(without_subcommand_name(args.split(' ').map(OsString::from))).unwrap()
    }

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn the_readmes_commands_are_understood() {
        let cli = parse("--setup run -n 4 --release --example jacobi");
        assert!(cli.setup);
        let Action::Run(run) = cli.action else { panic!("not run") };
        assert_eq!(run.ranks, Some(4));
        assert_eq!(run.selection.cargo_args(), ["--example", "jacobi", "--release"]);
        assert!(matches!(parse("mpi --setup test").action, Action::Test(_)));
    }

    #[test]
    fn everything_of_run_may_be_given_at_once() {
        let line =
            "run --mpi mpich -n 3 --hosts a,b:2 --timeout 1.5 --env A=b=c --launcher-arg -v -p x -- -n 7";
        let Action::Run(run) = parse(line).action else { panic!("not run") };
        assert_eq!(run.hosts, ["a", "b:2"]);
        assert_eq!(run.timeout, Some(Duration::from_millis(1500)));
        assert_eq!(run.variables, [("A".to_owned(), "b=c".to_owned())]);
        assert_eq!(run.launcher_args, ["-v"]);
        assert_eq!(run.args, ["-n", "7"]);
        assert_eq!(parse(line).mpi.as_deref(), Some("mpich"));
    }

    #[test]
    fn arguments_of_cargo_test_and_of_the_test_programs_are_kept_apart() {
        let cli = parse("test --mpi mpich -p mpi --test collective name -- --nocapture");
        assert_eq!(cli.mpi.as_deref(), Some("mpich"));
        let Action::Test(test) = cli.action else { panic!("not test") };
        let (cargo, program) = test.split();
        assert_eq!(cargo, ["-p", "mpi", "--test", "collective", "name"]);
        assert_eq!(program, ["--nocapture"]);
        let Action::Test(test) = parse("test -- --nocapture").action else { panic!("not test") };
        assert_eq!(test.split(), (&[][..], &["--nocapture".into()][..]));
    }
}
