//! What a launch says about its tests.

use crate::launch::End;
use crate::question::Answer;
use crate::record::{RankLog, Trouble};
use crate::stack::{Origin, place};
use crate::stage::{Stage, passed_everywhere};

/// The verdict on a launch: its first tests passed; at most one failed; nothing is known of the rest.
#[derive(Debug, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) passed: usize,
    pub(crate) failure: Option<Failure>,
}

/// What went wrong with the test after those that passed, or with all of them.
#[derive(Debug, PartialEq)]
pub(crate) struct Failure {
    /// No test of this launch could be run.
    pub(crate) before_tests: bool,
    pub(crate) headline: String,
    /// A sentence for each rank.
    pub(crate) ranks: Vec<String>,
    /// A rank told its own story, so that the launcher's can be left out.
    pub(crate) explained: bool,
}

/// Judges a launch of the tests that were written at `origins`.
pub(crate) fn judge(logs: &[RankLog], answers: &[Answer], end: End, origins: &[Origin<'_>]) -> Verdict {
    let tests = origins.len();
    let passed = passed_everywhere(logs);
    if passed == tests && logs.iter().all(|log| log.done) {
        // Launchers call a job failed whose ranks left handles of MPI behind, which a test may want to.
        return Verdict { passed, failure: None };
    }
    let before_tests = passed == 0 && logs.iter().all(|log| log.tests.is_empty());
    let afterwards = passed == tests;
    let told = logs.iter().any(|log| log.trouble.is_some());
    let what = match end {
        _ if told => "failed".to_owned(),
        End::Overdue(_, limit) => format!("not finished after {} s", limit.as_secs_f64()),
        End::Exited(status) => format!("the job ended early ({status})"),
    };
    let headline = match () {
        () if before_tests => format!("MPI did not start: {what}"),
        () if afterwards => format!("the test passed, but then the job did not end well: {what}"),
        () => what,
    };
    let hung = matches!(end, End::Overdue(stage, _) if stage != Stage::Failing);
    let blamed = if afterwards { passed - 1 } else { passed };
    let describe = |(log, answer)| describe(log, answer, passed, hung, origins[blamed]);
    let ranks = logs.iter().zip(answers).map(describe).collect();
    let failure = Failure { before_tests, headline, ranks, explained: told || hung };
    Verdict { passed: blamed, failure: Some(failure) }
}

/// Where one rank was when, after `passed` tests, something went wrong.
fn describe(log: &RankLog, answer: &Answer, passed: usize, hung: bool, origin: Origin<'_>) -> String {
    let stood = match answer {
        Answer::Stack(trace) => place(trace, origin),
        Answer::Gone | Answer::Silent => String::new(),
    };
    match &log.trouble {
        Some(Trouble::Failed(message)) => return message.clone(),
        Some(Trouble::Signal(number, None)) => return format!("died of {}{stood}", signal_name(*number)),
        Some(Trouble::Signal(number, Some(panic))) => {
            return format!("{panic}\nand died of {}", signal_name(*number));
        }
        Some(Trouble::Exit(panic)) => {
            let panic = panic.as_ref().map(|panic| format!("{panic}\nand ")).unwrap_or_default();
            return format!(
                "{panic}ended its own process in the middle of the test (exit, or an abort of the job)"
            );
        }
        None => {}
    }
    if log.done || log.passed > passed {
        return "finished".to_owned();
    }
    if log.process.is_none() {
        return "never came up".to_owned();
    }
    match answer {
        Answer::Gone => "its process is gone, without a word".to_owned(),
        Answer::Stack(_) => format!("hung{stood}"),
        Answer::Silent if hung => "hung, and did not tell where".to_owned(),
        Answer::Silent => "had not finished".to_owned(),
    }
}

fn signal_name(number: i32) -> String {
    let name = match number {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGILL => "SIGILL",
        libc::SIGFPE => "SIGFPE",
        libc::SIGABRT => "SIGABRT",
        _ => return format!("signal {number}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    const HELLO: &str = "hello 1 1 h\n";

    fn verdict(logs: [&str; 2], answers: [Answer; 2], end: End) -> Verdict {
        let logs = logs.map(|log| RankLog::parse(&format!("{HELLO}{log}")));
        judge(&logs, &answers, end, &[Origin { krate: "t", file: "t.rs" }; 2])
    }

    fn exited(code: i32) -> End {
        End::Exited(ExitStatus::from_raw(code << 8))
    }

    fn silent() -> [Answer; 2] {
        [Answer::Silent, Answer::Silent]
    }

    #[test]
    fn all_well() {
        let log = "begin 0\npass 0\nbegin 0\npass 0\ndone\n";
        // Open MPI reports 1 when a handle was leaked.
        assert_eq!(verdict([log, log], silent(), exited(1)), Verdict { passed: 2, failure: None });
    }

    #[test]
    fn the_first_test_that_not_everyone_passed_is_blamed() {
        let verdict = verdict(["begin 0\npass 0\nbegin 0\n", "begin 0\nfail 0 no\n"], silent(), exited(1));
        assert_eq!(verdict.passed, 0);
        let failure = verdict.failure.unwrap();
        assert_eq!(failure.headline, "failed");
        assert_eq!(failure.ranks, ["finished", "no"]);
        assert!(failure.explained && !failure.before_tests);
    }

    #[test]
    fn a_hang_says_who_stood_where() {
        let answers = [Answer::Stack("1: mpi::barrier\n2: t::f\nat ./t.rs:3:1".into()), Answer::Gone];
        let end = End::Overdue(Stage::Testing(1), Duration::from_millis(500));
        let log = "begin 0\npass 0\nbegin 0\n";
        let verdict = verdict([log, log], answers, end);
        assert_eq!(verdict.passed, 1);
        let failure = verdict.failure.unwrap();
        assert_eq!(failure.headline, "not finished after 0.5 s");
        assert_eq!(failure.ranks, ["hung in mpi::barrier at t.rs:3", "its process is gone, without a word"]);
    }

    #[test]
    fn a_job_that_ends_without_a_word_leaves_the_word_to_the_launcher() {
        let verdict = verdict(["begin 0\n", "begin 0\n"], silent(), exited(3));
        let failure = verdict.failure.unwrap();
        assert_eq!(failure.headline, "the job ended early (exit status: 3)");
        assert!(!failure.explained);
    }

    #[test]
    fn nothing_begun_blames_all() {
        let failure = verdict(["", "fail 0 panicked: no MPI\n"], silent(), exited(1)).failure.unwrap();
        assert!(failure.before_tests);
        assert_eq!(failure.headline, "MPI did not start: failed");
        assert_eq!(failure.ranks[1], "panicked: no MPI");
    }

    #[test]
    fn what_comes_after_the_tests_blames_the_last() {
        let log = "begin 0\npass 0\nbegin 0\npass 0\n";
        let verdict = verdict([log, log], silent(), End::Overdue(Stage::Leaving, Duration::from_secs(15)));
        assert_eq!(verdict.passed, 1);
        assert!(verdict.failure.unwrap().headline.starts_with("the test passed, but"));
    }
}
