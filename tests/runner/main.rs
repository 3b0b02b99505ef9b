//! `#[mpi::test]` tells what happened, whatever happens. Each test here runs this same binary again, with some of the
//! misbehaving tests of `fixture.rs`, and reads what it says.

mod fixture;

use std::ffi::OsString;
use std::fs;
use std::process::{Command, Output};

/// Bears a value of its own in every run, so that processes which outlive it can be found.
const MARK: &str = "MPI_TEST_FIXTURE_RUN";

/// What a run of the test binary has printed, and how it ended.
struct Run {
    text: String,
    success: bool,
}

impl Run {
    /// Runs the named tests of `fixture.rs`, and sees to it that no process is left.
    fn of(tests: &[&str], variables: &[(&str, &str)]) -> Self {
        let mark = format!("{}-{}", std::process::id(), tests.join("-"));
        let Output { status, stdout, stderr } = Command::new(std::env::current_exe().expect("this binary"))
            .args(tests.iter().map(|name| format!("fixture::{name}")))
            .env(fixture::SWITCH, "1")
            .env(MARK, &mark)
            .env("RUST_BACKTRACE", "0")
            .env_remove("MPI_TEST_TIMEOUT")
            .env_remove("MPI_TEST_MAX_RANKS")
            .envs(variables.iter().copied())
            .output()
            .expect("run this binary");
        assert_eq!(processes_with(&mark), Vec::<OsString>::new(), "processes that outlived {tests:?}");
        let text = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
        Self { text: text.into_owned(), success: status.success() }
    }

    fn says(&self, part: &str) -> &Self {
        assert!(self.text.contains(part), "no `{part}` in:\n{}", self.text);
        self
    }

    fn says_not(&self, part: &str) -> &Self {
        assert!(!self.text.contains(part), "`{part}` in:\n{}", self.text);
        self
    }

    fn fails_with(&self, sum: &str) -> &Self {
        assert!(!self.success, "success:\n{}", self.text);
        self.says(&format!("test result: FAILED. {sum}"))
    }
}

/// Every living process whose environment has the mark. One that has ended has no environment left.
fn processes_with(mark: &str) -> Vec<OsString> {
    let entry = format!("{MARK}={mark}");
    let bears = |path: &fs::DirEntry| {
        let environment = fs::read(path.path().join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == entry.as_bytes())
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter(bears).map(|path| path.file_name()).collect()
}

/// What the report on each misbehaving test must say. `{}` stands for this folder.
const REPORTS: &[(&str, &[&str])] = &[
    (
        "b_panics_on_one_rank on 2 ranks: failed",
        &[
            "rank 1 of 2: panicked at {}/fixture.rs:",
            "one\n    two",
            "[0] last words of 0\n[1] last words of 1",
        ],
    ),
    ("c_returns_an_error on 2 ranks: failed", &["rank 0 of 2: returned Err(\"no more\")"]),
    (
        "d_panics_everywhere on 2 ranks: failed",
        &[
            "rank 0 of 2: panicked at {}/fixture.rs:",
            "rank 1 of 2: panicked at {}/fixture.rs:",
            "a world of 2",
        ],
    ),
    (
        "e_hangs on 2 ranks: not finished after 1.5 s",
        &[
            "rank 0 of 2: hung in ",
            "barrier at {}/fixture.rs:",
            "rank 1 of 2: hung in ",
            "recv at {}/fixture.rs:",
        ],
    ),
    (
        "f_never_returns on 2 ranks: not finished after 1.5 s",
        &["rank 0 of 2: hung in ", "barrier at {}/fixture.rs:", "f_never_returns at {}/fixture.rs:"],
    ),
    ("g_exits on 2 ranks: failed", &["rank 1 of 2: ended its own process in the middle of the test"]),
    (
        "h_aborts on 2 ranks: failed",
        &["rank 1 of 2: died of SIGABRT in std::process::abort at {}/fixture.rs:"],
    ),
    (
        "i_overflows_its_stack on 2 ranks: failed",
        &["rank 1 of 2: died of SIGSEGV", "deeper at {}/fixture.rs:"],
    ),
    ("j_ends_the_job on 2 ranks: ", &["rank 0 of 2: had not finished"]),
];

#[test]
fn every_misbehaviour_is_reported_and_every_other_result_stays_right() {
    let run = Run::of(&[""], &[]);
    run.fails_with("3 passed; 9 failed; 1 ignored");
    for passing in ["a_passes", "k_leaks_a_handle", "z_passes"] {
        run.says(&format!("test fixture::{passing} ... ok"));
    }
    for (headline, parts) in REPORTS {
        let report = run.text.split("\n---- ").find(|report| report.contains(headline));
        let report = report.unwrap_or_else(|| panic!("no `{headline}` in:\n{}", run.text));
        for part in parts.iter().map(|part| part.replace("{}", "tests/runner")) {
            assert!(report.contains(&part), "no `{part}` in:\n{report}");
        }
    }
    run.says_not("b_panics_on_one_rank on 1 rank:");
}

#[test]
fn a_hang_ends_at_its_limit() {
    let run = Run::of(&["e_hangs"], &[("MPI_TEST_VERBOSE", "1")]);
    run.fails_with("0 passed; 1 failed").says("mpi-test: 2 ranks: 0 passed, 1 failed in ");
    // The launch's own time: other launches may have been waited for.
    let seconds = run.text.split("1 failed in ").nth(1).and_then(|rest| rest.split(' ').next());
    let seconds: f64 = seconds.and_then(|text| text.parse().ok()).expect("the time of the launch");
    assert!((1.5..10.0).contains(&seconds), "a launch of {seconds} s");
}

#[test]
fn tests_that_share_a_launch_are_launched_once_per_rank_count() {
    let run = Run::of(&["a_passes", "l_is", "z_passes"], &[("MPI_TEST_VERBOSE", "1")]);
    assert!(run.success, "{}", run.text);
    run.says("mpi-test: 1 rank: 2 passed, 0 failed")
        .says("mpi-test: 2 ranks: 2 passed, 0 failed")
        .says("mpi-test: 4 ranks: 1 passed, 0 failed");
    assert_eq!(run.text.matches(" passed, ").count(), 3, "{}", run.text); // beside what may be said of waiting
}

#[test]
fn output_of_passing_tests_is_shown_when_asked_for() {
    Run::of(&["a_passes"], &[]).says_not("greetings");
    Run::of(&["a_passes"], &[("RUST_TEST_NOCAPTURE", "1")])
        .says("[0] greetings from 0\n[1] greetings from 1");
}

#[test]
fn variables_limit_time_and_ranks() {
    Run::of(&["e_hangs"], &[("MPI_TEST_TIMEOUT", "x0.5")]).says("not finished after 0.75 s");
    Run::of(&["e_hangs"], &[("MPI_TEST_MAX_RANKS", "1")]).says("test result: ok. 1 passed");
    Run::of(&["a_passes"], &[("MPI_TEST_TIMEOUT", "soon")]).says("set seconds, as in `120`");
}
