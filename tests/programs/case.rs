//! A program, and what is expected of a job that runs it.

use mpi_config::launch::Ending;
use std::process::ExitCode;
use std::time::Duration;

/// One test.
pub struct Case {
    pub name: &'static str,
    pub ranks: usize,
    /// Variables for the ranks.
    pub variables: &'static [(&'static str, &'static str)],
    pub launcher: Which,
    /// What each rank does.
    pub program: fn() -> ExitCode,
    /// Panics unless the job ended as it should.
    pub check: fn(&Ended),
}

/// Whose launcher starts the program.
#[derive(Clone, Copy, PartialEq)]
pub enum Which {
    Own,
    /// That of an MPI that the program was not built for.
    Foreign,
}

impl Case {
    pub const fn new(name: &'static str, ranks: usize, program: fn() -> ExitCode, check: fn(&Ended)) -> Self {
        Case { name, ranks, variables: &[], launcher: Which::Own, program, check }
    }
}

/// A job that has ended.
pub struct Ended {
    pub code: i32,
    pub timed_out: bool,
    pub took: Duration,
    pub stdout: String,
    pub stderr: String,
}

/// A job that was ended by a rank of its own is over by then, also on a busy machine.
const SOON: Duration = Duration::from_secs(12);

impl Ended {
    pub fn new(ending: &Ending, took: Duration) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&ending.stdout), text(&ending.stderr));
        Ended { code: ending.exit_code(), timed_out: ending.timed_out, took, stdout, stderr }
    }

    /// All ranks came to their end, and nobody complained.
    #[track_caller]
    pub fn succeeded(&self) {
        assert!(!self.timed_out && self.code == 0, "exit code {}", self.code);
        assert!(!self.stderr.contains("[rank") && !self.stderr.contains("mpi: "), "something was printed");
    }

    /// The job was over soon.
    #[track_caller]
    pub fn was_over_soon(&self) {
        assert!(!self.timed_out, "the job hung");
        assert!(self.took < SOON, "it took {:?}", self.took);
    }

    /// A rank ended the job, soon.
    #[track_caller]
    pub fn failed(&self) {
        self.was_over_soon();
        assert!(self.code != 0, "the exit code says that all is well");
    }

    /// How often the ranks printed this.
    pub fn count(&self, text: &str) -> usize {
        self.stdout.matches(text).count() + self.stderr.matches(text).count()
    }

    /// Exactly one line has all of these parts in this order, and only that line has the first of them.
    #[track_caller]
    pub fn said_once(&self, parts: &[&str]) {
        let has = |line: &&str| {
            let rest = parts.iter().try_fold(*line, |rest, part| rest.split_once(part).map(|(_, rest)| rest));
            rest.is_some()
        };
        assert_eq!(self.stderr.lines().filter(has).count(), 1, "lines with {parts:?}");
        assert_eq!(self.count(parts[0]), 1, "{}", parts[0]);
    }
}
