//! What is told at the end.

use std::fmt;
use std::time::Duration;

/// The course of one computation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// Steps made.
    pub iterations: u64,
    /// The largest change of a cell in the last step.
    pub residual: f64,
    /// Wall-clock time of the steps, on the slowest rank.
    pub time: Duration,
    /// The part of it that went into communication, averaged over the ranks.
    pub communication: Duration,
}

/// The same computation on one rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Baseline {
    /// Wall-clock time of the steps.
    pub time: Duration,
    /// Whether every bit of the result was the same.
    pub identical: bool,
}

/// Everything about one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Rows and columns inside the frame.
    pub interior: [usize; 2],
    /// How many of these cells are free.
    pub free: usize,
    /// Rows and columns of the process grid.
    pub dims: [usize; 2],
    /// The residual that was aimed at.
    pub tolerance: f64,
    /// What happened.
    pub course: Course,
    /// A hash of the bits of the result.
    pub fingerprint: u64,
    /// The run to compare with, if one was asked for.
    pub baseline: Option<Baseline>,
}

impl Summary {
    /// Millions of cell updates in a second.
    pub fn million_updates(&self) -> f64 {
        let cells = self.interior[0] as f64 * self.interior[1] as f64;
        cells * self.course.iterations as f64 / self.course.time.as_secs_f64() / 1e6
    }

    /// The speed-up over one rank, for each rank: 1 is perfect.
    pub fn efficiency(&self, baseline: &Baseline) -> f64 {
        let ranks = (self.dims[0] * self.dims[1]) as f64;
        baseline.time.as_secs_f64() / self.course.time.as_secs_f64() / ranks
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Course { iterations, residual, time, communication } = self.course;
        let seconds = time.as_secs_f64();
        let ([rows, cols], [down, across]) = (self.interior, self.dims);
        writeln!(f, "cells          {cols} x {rows}, {} of them free", self.free)?;
        writeln!(f, "ranks          {} ({across} x {down})", across * down)?;
        writeln!(f, "iterations     {iterations}")?;
        let reached = if residual <= self.tolerance { "reached" } else { "NOT reached" };
        writeln!(f, "residual       {residual:e} (tolerance {:e} {reached})", self.tolerance)?;
        writeln!(f, "time           {seconds:.6} s")?;
        writeln!(f, "updates        {:.1} million per second", self.million_updates())?;
        writeln!(f, "communication  {:.1} % of the time", 100.0 * communication.as_secs_f64() / seconds)?;
        if let Some(baseline) = &self.baseline {
            let same = if baseline.identical { "the same result to the last bit" } else { "ANOTHER RESULT" };
            writeln!(f, "one rank       {:.6} s, {same}", baseline.time.as_secs_f64())?;
            writeln!(f, "efficiency     {:.1} %", 100.0 * self.efficiency(baseline))?;
        }
        write!(f, "fingerprint    {:016x} (the same on any number of ranks)", self.fingerprint)
    }
}

/// A hash of the bits of `field` (FNV-1a over 64-bit words).
pub fn fingerprint(field: &[f64]) -> u64 {
    field
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, value| (hash ^ value.to_bits()).wrapping_mul(0x100_0000_01b3))
}
