//! Runs the cases and reports in the words of Rust's own test harness, so that tools that read those can sum up.

use crate::PROGRAM;
use crate::case::{Case, Ended, Which};
use crate::launchers;
use mpi_config::launch::{Launcher, Options, Output};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A job that is not over by then hangs.
const LIMIT: Duration = Duration::from_secs(40);

/// What became of a case.
enum Verdict {
    Passed,
    Ignored(String),
    Failed(String),
}

/// What the command line chooses, as with any test binary.
#[derive(Default)]
struct Selection {
    filters: Vec<String>,
    skips: Vec<String>,
    exact: bool,
    list: bool,
    /// Only ignored tests are asked for, and there are none.
    ignored: bool,
}

impl Selection {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut selection = Selection::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--exact" => selection.exact = true,
                "--list" => selection.list = true,
                "--ignored" => selection.ignored = true,
                "--skip" => selection.skips.extend(arguments.next()),
                // Those that take a value; the value is no filter.
                "--test-threads" | "--format" | "--color" | "--logfile" | "-Z" => drop(arguments.next()),
                flag if flag.starts_with('-') => {}
                _ => selection.filters.push(argument),
            }
        }
        selection
    }

    fn takes(&self, name: &str) -> bool {
        let matches =
            |filter: &String| if self.exact { name == filter } else { name.contains(filter.as_str()) };
        let chosen = self.filters.is_empty() || self.filters.iter().any(matches);
        chosen && !self.ignored && !self.skips.iter().any(matches)
    }
}

/// Runs the cases that the command line chooses.
pub fn run(cases: Vec<(String, &Case)>) -> ExitCode {
    let selection = Selection::from_arguments(std::env::args().skip(1));
    let all = cases.len();
    let chosen: Vec<_> = cases.into_iter().filter(|(name, _)| selection.takes(name)).collect();
    if selection.list {
        chosen.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }

    let started = Instant::now();
    println!("\nrunning {} tests", chosen.len());
    let (mut passed, mut ignored, mut failures) = (0, 0, vec![]);
    for (name, case) in &chosen {
        match try_case(name, case) {
            Verdict::Passed => {
                passed += 1;
                println!("test {name} ... ok");
            }
            Verdict::Ignored(why) => {
                ignored += 1;
                println!("test {name} ... ignored, {why}");
            }
            Verdict::Failed(report) => {
                println!("test {name} ... FAILED");
                failures.push(format!("---- {name} ----\n{report}\n"));
            }
        }
    }
    if !failures.is_empty() {
        println!("\nfailures:\n\n{}", failures.join("\n"));
    }
    println!(
        "\ntest result: {}. {passed} passed; {} failed; {ignored} ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        failures.len(),
        all - chosen.len(),
        started.elapsed().as_secs_f64(),
    );
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

fn try_case(name: &str, case: &Case) -> Verdict {
    let max_ranks = std::env::var("MPI_TEST_MAX_RANKS").ok().and_then(|text| text.parse().ok());
    if max_ranks.is_some_and(|max: usize| case.ranks > max) {
        return Verdict::Ignored(format!("it needs {} ranks", case.ranks));
    }
    let launcher = match case.launcher {
        Which::Own => launchers::own(),
        Which::Foreign => match launchers::foreign() {
            Some(foreign) => Ok(foreign),
            None => return Verdict::Ignored("no launcher of another MPI is installed".into()),
        },
    };
    match launcher.and_then(|launcher| launch(&launcher, name, case)) {
        Ok(ended) => judge(case, &ended),
        Err(error) => Verdict::Failed(error),
    }
}

fn launch(launcher: &Launcher, name: &str, case: &Case) -> Result<Ended, String> {
    let variables = case.variables.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let own = [(PROGRAM.to_owned(), name.to_owned()), ("RUST_BACKTRACE".to_owned(), "0".to_owned())];
    let genv = own.into_iter().chain(variables).collect();
    let options = Options { ranks: case.ranks, genv, timeout: Some(LIMIT), ..Options::default() };
    let this: PathBuf = std::env::current_exe().map_err(|error| error.to_string())?;
    let started = Instant::now();
    let mut job = launcher.start(&options, &this, &[], Output::Capture).map_err(|error| error.to_string())?;
    let ending = job.wait().map_err(|error| error.to_string())?;
    if !job.processes().is_empty() {
        return Err("processes of the job are left".into());
    }
    Ok(Ended::new(&ending, started.elapsed()))
}

fn judge(case: &Case, ended: &Ended) -> Verdict {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let result = panic::catch_unwind(AssertUnwindSafe(|| (case.check)(ended)));
    panic::set_hook(hook);
    let Err(panic) = result else { return Verdict::Passed };
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default();
    let Ended { code, timed_out, took, stdout, stderr } = ended;
    Verdict::Failed(format!(
        "{text}\nexit code {code}, timed out: {timed_out}, {took:?}\n-- stdout\n{stdout}\n-- stderr\n{stderr}"
    ))
}
