//! The life of one rank: run the listed tests in order, write down what happens, leave.

mod identity;
mod output;
mod panics;
mod recorder;
mod witness;

pub(crate) use identity::host;
pub(crate) use witness::QUESTION;

use crate::folder::{Folder, Plan};
use crate::record::{RankLog, Record};
use crate::{Mpi, TestCase};
use output::Output;
use recorder::Recorder;
use std::any::Any;
use std::io;
use std::panic::catch_unwind;
use std::process::exit;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a rank that failed waits for others to record a failure of their own before it ends the job.
const LAST_WORDS: Duration = Duration::from_millis(250);

/// How long a rank that is done waits for the others: some launchers kill the job when one rank ends without
/// `MPI_Finalize`, which is what happens when a test leaks a handle.
const FAREWELL: Duration = Duration::from_secs(5);

/// Runs the launch's tests as this rank, and ends the process.
pub(crate) fn serve(folder: &Folder, mpi: &Mpi) -> ! {
    match Rank::begin(folder) {
        Ok(rank) => rank.serve(mpi),
        Err(error) => {
            eprintln!("mpi-test: this rank cannot work: {error}");
            exit(1)
        }
    }
}

struct Rank<'f> {
    folder: &'f Folder,
    plan: Plan,
    recorder: &'static Recorder,
    output: Output,
}

impl<'f> Rank<'f> {
    fn begin(folder: &'f Folder) -> io::Result<Self> {
        let plan = folder.read_plan()?;
        let number = identity::from_environment().ok_or_else(|| {
            io::Error::other("the launcher told it no rank number: it is not the launcher of a known MPI")
        })?;
        let recorder = Recorder::open(folder, number)?;
        recorder.write(&identity::hello());
        let output = Output::redirect(&folder.output(number))?;
        witness::answer_questions(folder.stack(number), recorder);
        panics::record(recorder);
        Ok(Self { folder, plan, recorder, output })
    }

    fn serve(self, mpi: &Mpi) -> ! {
        let Ok(session) = catch_unwind(mpi.session) else {
            self.recorder.fail(self.output.offset(), String::new());
            // Not `MPI_Abort`: MPI may not be initialized.
            exit(1)
        };
        // After MPI is initialized, which may have installed handlers of its own.
        witness::report_crashes();
        let cases = TestCase::all();
        for name in &self.plan.tests {
            let case = cases.iter().find(|case| case.name == name);
            if let Err(message) = self.test(case.copied(), name) {
                self.fail(mpi, message);
            }
        }
        self.leave(session)
    }

    /// `Err` without a message is a panic, whose message is recorded already.
    fn test(&self, case: Option<&TestCase>, name: &str) -> Result<(), String> {
        let case = case.ok_or_else(|| format!("no test {name} in this binary"))?;
        self.recorder.begin(self.output.offset());
        catch_unwind(case.body)
            .unwrap_or_else(|_| Err(String::new()))
            .map_err(|error| if error.is_empty() { error } else { format!("returned Err({error})") })?;
        self.recorder.pass(self.output.offset());
        Ok(())
    }

    fn fail(&self, mpi: &Mpi, message: String) -> ! {
        self.recorder.fail(self.output.offset(), message);
        let test = self.log(self.recorder.rank).tests.len();
        let has_ended = |log: RankLog| log.trouble.is_some() || log.passed >= test;
        self.wait_for_all(LAST_WORDS, has_ended);
        (mpi.abort)(1)
    }

    fn leave(&self, session: Box<dyn Any>) -> ! {
        // Finalizes MPI, which may panic or hang like anything else.
        drop(session);
        self.recorder.write(&Record::Done);
        self.wait_for_all(FAREWELL, |log| log.done);
        exit(0)
    }

    fn wait_for_all(&self, limit: Duration, holds: impl Fn(RankLog) -> bool) {
        let begin = Instant::now();
        while begin.elapsed() < limit && !(0..self.plan.ranks).all(|rank| holds(self.log(rank))) {
            sleep(Duration::from_millis(2));
        }
    }

    fn log(&self, rank: usize) -> RankLog {
        self.folder.read_log(rank)
    }
}
