//! When to stop, and how far that is.

/// A computation ends at whichever limit it reaches first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// No cell changes by more than this in a step.
    pub tolerance: f64,
    /// So many steps were made.
    pub max_iterations: u64,
}

impl Limits {
    /// Whether one of the limits is reached.
    pub fn reached(&self, iterations: u64, change: f64) -> bool {
        change <= self.tolerance || iterations >= self.max_iterations
    }

    /// How much is done, from 0 to 1, when the largest change in a step has fallen from `first` to `change`.
    ///
    /// The change falls by about the same factor in every step, so its logarithm tells; but the limit on the steps
    /// may come first.
    pub fn done(&self, iterations: u64, first: f64, change: f64) -> f64 {
        let by_steps = iterations as f64 / self.max_iterations as f64;
        let by_change = (first / change).ln() / (first / self.tolerance).ln();
        // A tolerance of 0, or one that was reached at once, tells nothing.
        by_steps.max(if by_change.is_finite() { by_change } else { 0.0 }).clamp(0.0, 1.0)
    }
}
