//! The progress bar of rank 0.

use crate::limits::Limits;
use crate::terminal::draw_target;
use indicatif::{ProgressBar, ProgressStyle};

/// How many steps pass between two looks at the bar: it shall not cost what it shows.
const STRIDE: u64 = 256;
/// The length of the bar; it shows a fraction.
const FULL: u64 = 1000;

/// A bar on standard error. It stays silent where that is no terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    limits: Limits,
    first: Option<f64>,
}

impl Progress {
    /// A bar for a computation with these limits.
    pub fn new(limits: Limits) -> Self {
        let style = ProgressStyle::with_template("{elapsed:>4} [{wide_bar}] {percent:>3} %, {msg}");
        let bar = ProgressBar::with_draw_target(Some(FULL), draw_target());
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, limits, first: None }
    }

    /// No bar at all.
    pub fn none(limits: Limits) -> Self {
        Progress { bar: ProgressBar::hidden(), limits, first: None }
    }

    /// The limits of the computation.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Step number `iteration` is over; the largest change in the step before it was `residual`.
    pub fn step(&mut self, iteration: u64, residual: f64) {
        if !iteration.is_multiple_of(STRIDE) || self.bar.is_hidden() {
            return;
        }
        let first = *self.first.get_or_insert(residual);
        let done = self.limits.done(iteration, first, residual);
        self.bar.set_position((done * FULL as f64) as u64);
        self.bar.set_message(format!("step {iteration}, change {residual:.1e}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
