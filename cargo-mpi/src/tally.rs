//! Adding up what test programs report.

/// Passed and failed tests of all test programs so far.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
    /// A test program has begun and has not reported its result: it died if nothing else comes.
    running: bool,
}

impl Tally {
    /// Takes one line of `cargo test`'s output.
    pub fn line(&mut self, line: &str) {
        let line = line.trim_end();
        if let Some((passed, failed)) = result(line) {
            self.passed += passed;
            self.failed += failed;
            self.running = false;
        } else if is_beginning(line) {
            self.count_a_death();
            self.running = true;
        }
    }

    /// The sums, given whether cargo itself reported success: a failure that left no count is one all the same.
    pub fn sums(mut self, cargo_succeeded: bool) -> (usize, usize) {
        self.count_a_death();
        if !cargo_succeeded {
            self.failed = self.failed.max(1);
        }
        (self.passed, self.failed)
    }

    fn count_a_death(&mut self) {
        self.failed += usize::from(self.running);
        self.running = false;
    }
}

/// `running 3 tests`
fn is_beginning(line: &str) -> bool {
    let count = line.strip_prefix("running ").and_then(|rest| rest.split_once(' '));
    count.is_some_and(|(count, what)| count.parse::<usize>().is_ok() && matches!(what, "test" | "tests"))
}

/// `test result: FAILED. 3 passed; 1 failed; 0 ignored; …`
fn result(line: &str) -> Option<(usize, usize)> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |what: &str| counts.split("; ").find_map(|part| part.strip_suffix(what)?.trim().parse().ok());
    Some((count("passed")?, count("failed")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(output: &str, succeeded: bool) -> (usize, usize) {
        let mut tally = Tally::default();
        output.lines().for_each(|line| tally.line(line));
        tally.sums(succeeded)
    }

    const OK: &str = "\nrunning 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n";

    #[test]
    fn results_of_all_programs_are_added() {
        let failed = "running 1 test\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.02s\n";
        assert_eq!(sums(&format!("{OK}{failed}{OK}"), false), (4, 1));
    }

    #[test]
    fn a_program_that_dies_is_a_failure() {
        assert_eq!(sums(&format!("running 7 tests\ntest a ... {OK}"), false), (2, 1));
        assert_eq!(sums(&format!("{OK}running 7 tests\n"), false), (2, 1));
    }

    #[test]
    fn a_build_that_fails_is_a_failure() {
        assert_eq!(sums("", false), (0, 1));
        assert_eq!(sums("", true), (0, 0));
    }

    #[test]
    fn what_only_looks_like_a_result_is_not_one() {
        assert_eq!(
            sums("test result: unclear\nrunning late tests\n  test result: ok. 9 passed; 0 failed;", true),
            (0, 0)
        );
    }
}
