//! The command line.

use crate::analytic;
use crate::limits::Limits;
use clap::Parser;
use std::path::PathBuf;

/// Heat in a plate, computed by Jacobi's method on any number of MPI ranks.
///
/// The plate comes from a grey-scale image, one cell for each pixel. Black cells are free: they settle at the
/// mean of their four neighbours. Every other level is held at a temperature that grows with its brightness, up
/// to 1 for white. The outermost ring of pixels is a frame that is always held, at 0 where it is black.
#[derive(Debug, Clone, Parser)]
#[command(name = "jacobi")]
pub struct Args {
    /// The plate: a PNG (colours count by their luminance) or PGM file
    #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/plate.png"))]
    pub image: PathBuf,

    /// Instead of an image: N × N cells with a known solution, whose error is checked
    #[arg(long, value_name = "N", conflicts_with = "image", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub analytic: Option<u16>,

    /// Stop when no cell changes by more than this in a step [default: 1e-6, or what --analytic needs]
    #[arg(long, value_name = "CHANGE", allow_negative_numbers = true, value_parser = tolerance)]
    pub tolerance: Option<f64>,

    /// Stop after this many steps in any case
    #[arg(long, value_name = "STEPS", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_iterations: u64,

    /// Where to write the temperatures as a PNG heat map
    #[arg(long, value_name = "FILE", default_value = "jacobi.png")]
    pub output: PathBuf,

    /// Compute on one rank first, and compare: parallel efficiency, and whether the results are the same
    #[arg(long)]
    pub baseline: bool,
}

impl Args {
    /// When to stop.
    pub fn limits(&self) -> Limits {
        let default = self.analytic.map_or(1e-6, |n| analytic::tolerance(n.into()));
        Limits { tolerance: self.tolerance.unwrap_or(default), max_iterations: self.max_iterations }
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value >= 0.0 => Ok(value),
        _ => Err("it must be a number, and not negative".into()),
    }
}
