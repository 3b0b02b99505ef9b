//! The one error of this crate: a short message that says what to do.

use std::fmt;

/// What went wrong, and what the user can do about it.
///
/// Displayed as the problem, then what was tried (one indented line each), then the advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    problem: String,
    tried: Vec<String>,
    advice: Option<String>,
}

impl Error {
    /// An error that needs no further explanation.
    pub fn new(problem: impl Into<String>) -> Self {
        Error { problem: problem.into(), tried: Vec::new(), advice: None }
    }

    /// Adds the list of what was tried before giving up.
    #[must_use]
    pub fn tried(mut self, tried: impl IntoIterator<Item = String>) -> Self {
        self.tried.extend(tried);
        self
    }

    /// Adds what the user should install, set or run.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// The problem alone, in one line.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        for attempt in &self.tried {
            write!(f, "\n  tried: {attempt}")?;
        }
        match &self.advice {
            Some(advice) => write!(f, "\n{advice}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
