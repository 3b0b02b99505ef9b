//! The result as a picture.

use anyhow::{Context, Result, ensure};
use std::fs::Permissions;
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::NamedTempFile;

/// Colours from cold to hot, evenly spaced over temperatures from 0 to 1: black, violet, red, orange, pale yellow,
/// ever lighter, so that the order survives a grey-scale print and colour blindness.
const COLOURS: [[u8; 3]; 9] = [
    [0, 0, 4],
    [31, 12, 72],
    [85, 15, 109],
    [136, 34, 106],
    [186, 54, 85],
    [227, 89, 51],
    [249, 140, 10],
    [249, 201, 50],
    [252, 255, 164],
];

/// Checks that a picture can be written to `path`: better now than after hours of computing.
pub fn check(path: &Path) -> Result<()> {
    let usable = !path.exists() || path.is_file();
    ensure!(usable, "cannot write the picture: {} exists and is not a file", path.display());
    // Dropped, and so removed, at once.
    temporary(path).map(drop)
}

/// Writes `field`, temperatures from 0 to 1 row by row, `cols` in each row, as a PNG heat map.
///
/// The picture appears under its name when it is complete, or not at all.
pub fn write(path: &Path, field: &[f64], cols: usize) -> Result<()> {
    let mut file = temporary(path)?;
    encode(&mut file, field, cols)
        .and_then(|()| Ok(file.persist(path)?.sync_all()?))
        .with_context(|| format!("cannot write the picture {}", path.display()))
}

/// Encodes the heat map.
pub fn encode(out: impl Write, field: &[f64], cols: usize) -> Result<()> {
    let rows = field.len() / cols;
    let mut encoder = png::Encoder::new(BufWriter::new(out), u32::try_from(cols)?, u32::try_from(rows)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let pixels: Vec<u8> = field.iter().flat_map(|&temperature| colour(temperature)).collect();
    writer.write_image_data(&pixels)?;
    Ok(writer.finish()?)
}

/// The colour of a temperature; outside of 0 to 1, that of the nearer end.
pub fn colour(temperature: f64) -> [u8; 3] {
    let position = temperature.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let below = (position as usize).min(COLOURS.len() - 2);
    let weight = position - below as f64;
    let (cold, hot) = (COLOURS[below], COLOURS[below + 1]);
    std::array::from_fn(|i| (f64::from(cold[i]) * (1.0 - weight) + f64::from(hot[i]) * weight).round() as u8)
}

/// A file in the folder of `path`, removed again unless it is renamed: a rename within a folder is atomic.
fn temporary(path: &Path) -> Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    tempfile::Builder::new()
        .prefix(".jacobi-")
        .suffix(".png")
        // As any new file: the umask decides, not `tempfile`'s "for me only".
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .with_context(|| format!("cannot write the picture {}", path.display()))
}
