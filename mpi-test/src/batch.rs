//! Running a list of tests on one rank count, with as many launches as its failures cost.

use crate::environment::Environment;
use crate::launch::Launch;
use crate::turn::Turn;
use crate::verdict::judge;
use crate::{TestCase, report};
use std::io::{self, Write};
use std::time::Instant;

/// What became of one test on one rank count.
#[derive(Debug)]
pub(crate) struct TestResult {
    pub(crate) case: &'static TestCase,
    /// What the ranks printed, if it passed; the report, if it failed.
    pub(crate) text: Result<String, String>,
}

/// One launch. The tests without a result in the answer have to be launched again; there is at least one result.
pub(crate) fn launch(
    cases: &[&'static TestCase],
    ranks: usize,
    environment: &Environment,
) -> Vec<TestResult> {
    let Some(first) = cases.first() else { return Vec::new() };
    let run = || -> io::Result<(Launch, f64)> {
        let _turn = Turn::wait()?;
        let begin = Instant::now();
        Ok((Launch::run(first.mpi, ranks, cases, environment)?, begin.elapsed().as_secs_f64()))
    };
    match run() {
        Ok((launch, seconds)) => {
            let results = results(cases, &launch);
            if environment.verbose {
                announce(ranks, &results, seconds);
            }
            results
        }
        Err(error) => {
            let report = format!("no launch on {}: {error}", report::ranks(ranks));
            cases.iter().map(|case| TestResult { case, text: Err(report.clone()) }).collect()
        }
    }
}

fn results(cases: &[&'static TestCase], launch: &Launch) -> Vec<TestResult> {
    let origins: Vec<_> = cases.iter().map(|case| case.origin()).collect();
    let verdict = judge(&launch.logs, &launch.answers, launch.end, &origins);
    let passed = cases[..verdict.passed].iter().enumerate().map(|(index, case)| {
        let text = report::output(&launch.folder, &launch.logs, index, usize::MAX);
        TestResult { case, text: Ok(text) }
    });
    let failed = verdict.failure.into_iter().flat_map(|failure| {
        let blamed = if failure.before_tests { cases.len() } else { 1 };
        let blamed = cases.iter().enumerate().skip(verdict.passed).take(blamed);
        let report = move |(index, case): (usize, &&'static TestCase)| TestResult {
            case,
            text: Err(report::failure(case.harness_name(), &failure, launch, index)),
        };
        blamed.map(report).collect::<Vec<_>>()
    });
    passed.chain(failed).collect()
}

/// Written past the harness's capture, which would keep it until the end of some test.
fn announce(ranks: usize, results: &[TestResult], seconds: f64) {
    let passed = results.iter().filter(|result| result.text.is_ok()).count();
    let failed = results.len() - passed;
    let line =
        format!("mpi-test: {}: {passed} passed, {failed} failed in {seconds:.2} s\n", report::ranks(ranks));
    // Nothing depends on it.
    let _ = io::stderr().write_all(line.as_bytes());
}
