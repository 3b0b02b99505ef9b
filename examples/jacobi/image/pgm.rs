//! PGM, the portable grey map: `P2` (decimal) and `P5` (binary).

use super::{Grey, pixels};
use anyhow::{Result, bail, ensure};

/// Decodes a PGM file. Only its first image is read, if it holds several.
pub fn decode(bytes: &[u8]) -> Result<Grey> {
    let mut file = Reader { rest: bytes.get(2..).unwrap_or_default() };
    let cols = file.number("the width")?;
    let rows = file.number("the height")?;
    let white = file.number("the white level")?;
    let n = pixels(rows, cols)?;
    let white = match u16::try_from(white) {
        Ok(white) if white > 0 => white,
        _ => bail!("its white level is {white}, which is not between 1 and 65535"),
    };
    let levels = if bytes.starts_with(b"P5") { file.binary(n, white)? } else { file.decimal(n)? };
    ensure!(levels.iter().all(|&level| level <= white), "it has a level above its white level, {white}");
    Ok(Grey { rows, cols, white, levels })
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// The next decimal number, after white space and comments.
    fn number(&mut self, what: &str) -> Result<usize> {
        self.skip_blanks();
        let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        // Digits are ASCII, so this fails only for an empty or a huge number.
        match str::from_utf8(number).ok().and_then(|text| text.parse().ok()) {
            Some(value) => Ok(value),
            None => bail!("{what} is missing or not a number"),
        }
    }

    fn skip_blanks(&mut self) {
        while let Some((&first, rest)) = self.rest.split_first() {
            match first {
                b'#' => {
                    let line = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[line..];
                }
                _ if first.is_ascii_whitespace() => self.rest = rest,
                _ => break,
            }
        }
    }

    /// `n` samples of one byte, or of two with the high byte first.
    fn binary(&mut self, n: usize, white: u16) -> Result<Vec<u16>> {
        let width = if white < 256 { 1 } else { 2 };
        // One blank, and only one, ends the header.
        let samples = self.rest.get(1..).unwrap_or_default();
        // Checked before anything is allocated; `n` is bounded, so `n * width` cannot overflow.
        let Some(samples) = samples.get(..n * width) else {
            bail!("it is cut short: {} of {} bytes of pixels", samples.len(), n * width);
        };
        Ok(match width {
            1 => samples.iter().map(|&byte| byte.into()).collect(),
            _ => samples.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect(),
        })
    }

    /// `n` decimal numbers.
    fn decimal(&mut self, n: usize) -> Result<Vec<u16>> {
        // Every sample takes at least a blank and a digit, so a header cannot make us allocate much more
        // than the file is long.
        ensure!(n <= self.rest.len(), "it is cut short: {} bytes for {n} pixels", self.rest.len());
        (0..n).map(|_| Ok(u16::try_from(self.number("a pixel")?)?)).collect()
    }
}
