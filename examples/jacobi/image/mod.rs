//! Reading a grey-scale image, whatever its file format.

mod pgm;
mod png;

use anyhow::{Context, Result, bail};
use std::path::Path;

/// The largest image that is read, in pixels: 2 GiB of grid for each time level.
///
/// A header of a few bytes can announce any size; this keeps a broken or hostile one from being believed.
pub const MAX_PIXELS: usize = 1 << 28;

/// A grey-scale image: `rows × cols` levels from 0 (black) to `white`, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grey {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// The level that means white; at least 1.
    pub white: u16,
    /// The levels, `rows * cols` of them, none above `white`.
    pub levels: Vec<u16>,
}

impl Grey {
    /// Reads a PNG or PGM file; which of the two is told by its first bytes, not by its name.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::decode(&bytes).with_context(|| format!("cannot use {} as an image", path.display()))
    }

    /// Decodes the bytes of a PNG or PGM file.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        if bytes.starts_with(png::SIGNATURE) {
            png::decode(bytes)
        } else if bytes.starts_with(b"P2") || bytes.starts_with(b"P5") {
            pgm::decode(bytes)
        } else {
            bail!("it is neither a PNG nor a PGM (P2 or P5) file")
        }
    }
}

/// The number of pixels of a `rows × cols` image, if it is one this program can hold.
fn pixels(rows: usize, cols: usize) -> Result<usize> {
    match rows.checked_mul(cols) {
        Some(0) => bail!("it has no pixels"),
        Some(n) if n <= MAX_PIXELS => Ok(n),
        _ => bail!("{cols} × {rows} pixels are more than this program reads ({MAX_PIXELS})"),
    }
}
