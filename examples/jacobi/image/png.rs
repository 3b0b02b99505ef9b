//! PNG of every kind, turned into grey.

use super::{Grey, MAX_PIXELS, pixels};
use anyhow::{Context, Result};
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use std::io::Cursor;

/// What every PNG file begins with.
pub const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

const INVALID: &str = "it is not a valid PNG file";

/// Decodes a PNG file: colours become their luminance, what is transparent shows black behind it.
pub fn decode(bytes: &[u8]) -> Result<Grey> {
    // The decoder's own default is less than the largest image we allow.
    let limits = Limits { bytes: 8 * MAX_PIXELS };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    // Palettes become RGB, 1, 2 and 4 bits become 8, a transparent colour becomes an alpha channel.
    decoder.set_transformations(Transformations::EXPAND);
    let header = decoder.read_header_info().context(INVALID)?;
    let (cols, rows) = (header.width as usize, header.height as usize);
    let n = pixels(rows, cols)?;
    let mut reader = decoder.read_info().context(INVALID)?;
    let mut buffer = vec![0; reader.output_buffer_size().context("it does not fit into memory")?];
    let frame = reader.next_frame(&mut buffer).context(INVALID)?;
    let buffer = &buffer[..frame.buffer_size()];

    let (white, samples): (u16, Vec<u16>) = match frame.bit_depth {
        BitDepth::Sixteen => {
            (u16::MAX, buffer.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect())
        }
        _ => (u8::MAX.into(), buffer.iter().map(|&byte| byte.into()).collect()),
    };
    let levels: Vec<u16> = match frame.color_type {
        ColorType::Grayscale => samples,
        ColorType::GrayscaleAlpha => samples.chunks_exact(2).map(|p| over_black(p[0], p[1], white)).collect(),
        ColorType::Rgba => {
            samples.chunks_exact(4).map(|p| over_black(luminance(p[0], p[1], p[2]), p[3], white)).collect()
        }
        // `EXPAND` leaves no palette.
        ColorType::Rgb | ColorType::Indexed => {
            samples.chunks_exact(3).map(|p| luminance(p[0], p[1], p[2])).collect()
        }
    };
    debug_assert_eq!(levels.len(), n);
    Ok(Grey { rows, cols, white, levels })
}

/// Luminance after ITU-R BT.709, rounded; a grey colour keeps its level exactly.
fn luminance(red: u16, green: u16, blue: u16) -> u16 {
    let [red, green, blue] = [red, green, blue].map(u32::from);
    // At most 65535, since the weights add up to 10000.
    ((2126 * red + 7152 * green + 722 * blue + 5000) / 10000) as u16
}

fn over_black(level: u16, alpha: u16, white: u16) -> u16 {
    // At most `level`, since `alpha <= white`.
    (u32::from(level) * u32::from(alpha) / u32::from(white)) as u16
}
