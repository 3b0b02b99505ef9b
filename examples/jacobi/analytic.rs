//! A plate whose temperatures are known in closed form.

use crate::plate::Plate;
use anyhow::Result;
use std::f64::consts::PI;

/// The harmonic function `sin(πx) sinh(πy) / sinh(π)` on the unit square: 0 on three sides, a half sine wave
/// on the fourth.
pub fn exact(x: f64, y: f64) -> f64 {
    (PI * x).sin() * (PI * y).sinh() / PI.sinh()
}

/// A square plate of `n × n` cells inside a frame that is held at [`exact`].
pub fn plate(n: usize) -> Result<Plate> {
    let side = n + 2;
    let frame = |i: usize| i == 0 || i == n + 1;
    Plate::new(side, side, |row, col| (frame(row) || frame(col)).then(|| exact_at(n, row, col)))
}

/// The largest difference between `field`, `(n + 2) × (n + 2)` temperatures row by row, and [`exact`].
pub fn error(n: usize, field: &[f64]) -> f64 {
    let side = n + 2;
    let differences =
        field.iter().enumerate().map(|(i, value)| (value - exact_at(n, i / side, i % side)).abs());
    differences.fold(0.0, f64::max)
}

/// What the five-point formula may be wrong by, at most, on `n × n` cells: an eighth (for the unit square) of
/// its truncation error `h²/12 · (∂⁴u/∂x⁴ + ∂⁴u/∂y⁴) ≤ h²/12 · 2π⁴`.
pub fn bound(n: usize) -> f64 {
    let h = 1.0 / (n as f64 + 1.0);
    h * h * PI.powi(4) / 48.0
}

/// A change per step at which what is left of the iteration's own error is a hundredth of [`bound`]: the slowest
/// component of the error, which is all that is left in the end, shrinks by `cos(πh)` in a step.
pub fn tolerance(n: usize) -> f64 {
    let h = 1.0 / (n as f64 + 1.0);
    0.01 * bound(n) * (1.0 - (PI * h).cos())
}

fn exact_at(n: usize, row: usize, col: usize) -> f64 {
    let h = 1.0 / (n as f64 + 1.0);
    exact(col as f64 * h, row as f64 * h)
}
