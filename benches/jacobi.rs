//! The example `jacobi` against its C twin `benches/c/jacobi.c`: what does the safe layer cost?
//!
//! ```sh
//! cargo bench --bench jacobi                # 30 pairs on 1 and on 2 ranks
//! cargo bench --bench jacobi -- --pairs 60
//! ```
//!
//! They must agree on the result to the last bit.

#[path = "../tests/common/example.rs"]
mod example;
#[path = "../examples/jacobi/image/mod.rs"]
mod image;
mod pairs;

use anyhow::Result;
use pairs::{Program, ROOT, Report, build_c, compare, launcher, print_head, value};
use std::ffi::OsString;
use std::path::Path;

fn main() -> Result<()> {
    let (pairs, steps) = match pairs::pairs(30)? {
        Some(pairs) => (pairs, 10_000),
        None => (1, 100),
    };
    let launcher = launcher()?;
    let folder = tempfile::tempdir()?;
    let plate = Path::new(ROOT).join("examples/data/plate.png");
    let rust = Program { path: example::build("jacobi"), args: rust_args(&plate, folder.path(), steps) };
    let c = Program { path: build_c("jacobi", folder.path())?, args: c_args(&plate, folder.path(), steps)? };
    print_head(pairs, &format!("{steps} steps"));
    for ranks in [1, 2] {
        compare(&launcher, ("jacobi", ranks, pairs), &c, &rust, read)?;
    }
    Ok(())
}

fn rust_args(plate: &Path, folder: &Path, steps: u64) -> Vec<OsString> {
    let mut args: Vec<OsString> = ["--tolerance", "0", "--max-iterations"].map(Into::into).into();
    args.push(steps.to_string().into());
    args.extend(["--image".into(), plate.into(), "--output".into(), folder.join("heat.png").into()]);
    args
}

/// The C twin reads no PNG: it gets the same levels as a binary PGM.
fn c_args(plate: &Path, folder: &Path, steps: u64) -> Result<Vec<OsString>> {
    let image = image::Grey::read(plate)?;
    let mut pgm = format!("P5 {} {} {}\n", image.cols, image.rows, image.white).into_bytes();
    let width = if image.white < 256 { 1 } else { 2 };
    pgm.extend(image.levels.iter().flat_map(|level| level.to_be_bytes().into_iter().skip(2 - width)));
    let path = folder.join("plate.pgm");
    std::fs::write(&path, pgm)?;
    Ok(vec![path.into(), "0".into(), steps.to_string().into()])
}

/// Iterations, residual and fingerprint, the residual to the last bit.
fn read(text: &str) -> Result<Report> {
    let (iterations, fingerprint) = (value(text, "iterations")?, value(text, "fingerprint")?);
    let residual: f64 = value(text, "residual")?.parse()?;
    Ok(Report {
        step: value(text, "time")?.parse::<f64>()? / iterations.parse::<f64>()?,
        result: format!("{iterations} {:016x} {fingerprint}", residual.to_bits()),
    })
}
