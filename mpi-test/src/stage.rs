//! How far a launch has come: what its time limit depends on.

use crate::record::RankLog;
use std::time::Duration;

/// How long the other ranks may take to end after one has failed: each may have something to tell of its own.
const FAILING_LIMIT: Duration = Duration::from_secs(3);

/// How long ranks may take to finalize MPI and end.
const LEAVING_LIMIT: Duration = Duration::from_secs(15);

/// What the ranks are doing, taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// No test has begun anywhere.
    Starting,
    /// The first test that has not passed on every rank.
    Testing(usize),
    /// Something went wrong; the job is ending.
    Failing,
    /// Every test has passed on every rank.
    Leaving,
}

impl Stage {
    /// What the logs of all ranks say, of a launch with this many tests.
    pub(crate) fn of(logs: &[RankLog], tests: usize) -> Self {
        let passed = passed_everywhere(logs);
        if logs.iter().any(|log| log.trouble.is_some()) {
            Self::Failing
        } else if passed == tests {
            Self::Leaving
        } else if logs.iter().all(|log| log.tests.is_empty()) {
            Self::Starting
        } else {
            Self::Testing(passed)
        }
    }

    /// How long this stage may take; `start` and `tests` are the limits of coming up and of each test.
    pub(crate) fn limit(self, start: Duration, tests: &[Duration]) -> Duration {
        match self {
            Self::Starting => start,
            Self::Testing(test) => tests[test],
            Self::Failing => FAILING_LIMIT,
            Self::Leaving => LEAVING_LIMIT,
        }
    }
}

/// How many tests, counted from the first, have passed on every rank.
pub(crate) fn passed_everywhere(logs: &[RankLog]) -> usize {
    logs.iter().map(|log| log.passed).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(logs: [&str; 2]) -> Stage {
        Stage::of(&logs.map(RankLog::parse), 2)
    }

    #[test]
    fn the_slowest_rank_decides() {
        assert_eq!(stage(["hello 1 1 h\n", ""]), Stage::Starting);
        assert_eq!(stage(["begin 0\n", ""]), Stage::Testing(0));
        assert_eq!(stage(["begin 0\npass 0\nbegin 0\n", "begin 0\n"]), Stage::Testing(0));
        assert_eq!(stage(["begin 0\npass 0\nbegin 0\n", "begin 0\npass 0\n"]), Stage::Testing(1));
        let all = "begin 0\npass 0\nbegin 0\npass 0\n";
        assert_eq!(stage([all, all]), Stage::Leaving);
    }

    #[test]
    fn one_rank_in_trouble_is_enough() {
        assert_eq!(stage(["begin 0\nfail 0 x\n", "begin 0\n"]), Stage::Failing);
        assert_eq!(stage(["fail 0 no MPI\n", ""]), Stage::Failing);
    }
}
