//! The variables a user may set, as values.

use crate::TestCase;
use std::time::Duration;

const DEFAULT_LIMIT: Duration = Duration::from_secs(60);

/// What `MPI_TEST_…` variables say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Environment {
    limit: Limit,
    pub(crate) max_ranks: usize,
    pub(crate) verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    /// This long, whatever the test says.
    Fixed(Duration),
    /// This many times what the test says.
    Scaled(f64),
}

impl Environment {
    /// Reads the variables of this process.
    pub(crate) fn read() -> Result<Self, String> {
        Self::from(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn from(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let limit = match variable("MPI_TEST_TIMEOUT") {
            None => Limit::Scaled(1.0),
            Some(text) => Limit::parse(&text).ok_or_else(|| {
                format!("MPI_TEST_TIMEOUT={text}: set seconds, as in `120`, or a factor, as in `x3`")
            })?,
        };
        let max_ranks = match variable("MPI_TEST_MAX_RANKS") {
            None => usize::MAX,
            Some(text) => text
                .parse()
                .map_err(|_| format!("MPI_TEST_MAX_RANKS={text}: set a number of ranks, as in `2`"))?,
        };
        let verbose = variable("MPI_TEST_VERBOSE").is_some_and(|value| value != "0");
        Ok(Self { limit, max_ranks, verbose })
    }

    /// How long a test may take on one rank count.
    pub(crate) fn limit(&self, case: &TestCase) -> Duration {
        self.scale(case.timeout.map_or(DEFAULT_LIMIT, Duration::from_secs_f64))
    }

    /// How long the ranks may take to come up.
    pub(crate) fn start_limit(&self) -> Duration {
        self.scale(DEFAULT_LIMIT)
    }

    fn scale(&self, limit: Duration) -> Duration {
        match self.limit {
            Limit::Fixed(limit) => limit,
            Limit::Scaled(factor) => limit.mul_f64(factor),
        }
    }
}

impl Limit {
    fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok().filter(|n: &f64| (0.001..1e6).contains(n));
        match text.strip_prefix('x') {
            Some(factor) => number(factor).map(Self::Scaled),
            None => number(text).map(|seconds| Self::Fixed(Duration::from_secs_f64(seconds))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str, value: &str) -> Result<Environment, String> {
        Environment::from(|asked| (asked == name).then(|| value.to_owned()))
    }

    #[test]
    fn nothing_set_leaves_the_limits_alone() {
        let read = environment("OTHER", "1").unwrap();
        assert_eq!(read.scale(DEFAULT_LIMIT), DEFAULT_LIMIT);
        assert_eq!(read.max_ranks, usize::MAX);
        assert!(!read.verbose);
    }

    #[test]
    fn a_limit_is_replaced_or_scaled() {
        assert_eq!(
            environment("MPI_TEST_TIMEOUT", "2.5").unwrap().start_limit(),
            Duration::from_millis(2500)
        );
        assert_eq!(environment("MPI_TEST_TIMEOUT", "x3").unwrap().start_limit(), DEFAULT_LIMIT * 3);
    }

    #[test]
    fn nonsense_is_an_error_that_says_what_to_set() {
        for bad in ["-1", "x", "0", "inf", "soon"] {
            assert!(environment("MPI_TEST_TIMEOUT", bad).unwrap_err().contains("as in `120`"), "{bad}");
        }
        assert!(environment("MPI_TEST_MAX_RANKS", "two").unwrap_err().contains("as in `2`"));
    }
}
