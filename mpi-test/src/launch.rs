//! One launch: a job of some ranks that run some tests, watched until it ends or is ended.

use crate::environment::Environment;
use crate::folder::{Folder, Plan};
use crate::question::{self, Answer};
use crate::record::RankLog;
use crate::stage::Stage;
use crate::{Mpi, TestCase, remedy};
use mpi_config::launch::{Job, Launcher, Options, Output};
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, io};

/// What became of a launch. Its folder lives as long as this value.
#[derive(Debug)]
pub(crate) struct Launch {
    pub(crate) folder: Folder,
    pub(crate) logs: Vec<RankLog>,
    pub(crate) end: End,
    /// Where each rank stood, if it told.
    pub(crate) answers: Vec<Answer>,
}

/// How a launch ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum End {
    /// By itself.
    Exited(ExitStatus),
    /// A stage took longer than this, and the job was killed.
    Overdue(Stage, Duration),
}

impl Launch {
    /// Runs the tests on this many ranks until one fails or all have passed. No process survives it.
    pub(crate) fn run(
        mpi: &Mpi,
        ranks: usize,
        tests: &[&TestCase],
        environment: &Environment,
    ) -> io::Result<Self> {
        let folder = Folder::create()?;
        folder.write_plan(&Plan { ranks, tests: tests.iter().map(|case| case.name.to_owned()).collect() })?;
        let command = command(mpi, ranks, tests, &folder)?;
        let mut job = Job::spawn(command, Output::AsConfigured, None)?;
        let limits: Vec<Duration> = tests.iter().map(|case| environment.limit(case)).collect();

        let (end, logs) = watch(&mut job, &folder, &limits, environment.start_limit(), ranks)?;
        // Ranks that wait for one that failed have nothing to tell.
        let hung = matches!(end, End::Overdue(stage, _) if stage != Stage::Failing);
        let answers = if hung { question::ask(&folder, &logs) } else { question::answers(&folder, &logs) };
        job.end()?;
        Ok(Self { folder, logs, end, answers })
    }
}

/// The same binary, told to run one test: there it finds that it is a rank, and runs those of the plan.
fn command(mpi: &Mpi, ranks: usize, tests: &[&TestCase], folder: &Folder) -> io::Result<Command> {
    let launcher = Launcher::from_parts(mpi.family, mpi.version, mpi.mpiexec, mpi.libdirs, mpi.prefix)
        .map_err(io::Error::other)?;
    let is_set = |name: &str| env::var_os(name).is_some();
    let remedies = remedy::variables(launcher.family, launcher.version, is_set);
    let genv = remedies.chain([folder.variable()]).collect();
    let options = Options { ranks, genv, ..Options::default() };
    let first = tests.first().map_or("", |case| case.harness_name());
    let arguments = ["--exact", first, "--include-ignored", "--nocapture", "--test-threads=1", "--quiet"];
    let mut words = wrapper();
    words.push(env::current_exe()?.into());
    words.extend(arguments.map(OsString::from));
    let mut command = launcher.command(&options, Path::new(&words[0]), &words[1..]);
    let output = File::options().create(true).append(true).open(folder.launcher_output())?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    Ok(command)
}

/// What each rank is to be run by, as `valgrind --quiet`.
fn wrapper() -> Vec<OsString> {
    let words = env::var("MPI_TEST_WRAPPER").unwrap_or_default();
    words.split_whitespace().map(OsString::from).collect()
}

/// Waits for the end of the job, or of the patience with one of its stages; returns the records as of then.
fn watch(
    job: &mut Job,
    folder: &Folder,
    limits: &[Duration],
    start: Duration,
    ranks: usize,
) -> io::Result<(End, Vec<RankLog>)> {
    let mut stage = Stage::Starting;
    let mut since = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        // Asked first: what was recorded before the end is then read after it.
        let ended = job.has_ended()?;
        let logs: Vec<RankLog> = (0..ranks).map(|rank| folder.read_log(rank)).collect();
        if ended {
            return Ok((End::Exited(job.wait()?.status), logs));
        }
        let now = Stage::of(&logs, limits.len());
        let limit = now.limit(start, limits);
        if now != stage {
            (stage, since) = (now, Instant::now());
        } else if since.elapsed() > limit {
            return Ok((End::Overdue(stage, limit), logs));
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
