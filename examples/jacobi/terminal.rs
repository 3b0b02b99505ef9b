//! A terminal at the other end of an MPI launcher.
//!
//! A rank's standard error is a pipe to its launcher, even where the launcher passes everything on to a terminal.
//! `cargo mpi run` knows, and tells the width of that terminal in a variable.

use indicatif::{ProgressDrawTarget, TermLike};
use std::fmt::Debug;
use std::io::{self, Write};
use std::sync::Mutex;

/// Set by `cargo mpi run` if its standard error is a terminal: the number of columns.
const COLUMNS: &str = "CARGO_MPI_COLUMNS";

/// How often a bar is drawn again, at most, in a second: every time is a message to the launcher.
const RATE: u8 = 5;

/// Where a progress bar is to be drawn: on a terminal, or nowhere.
pub fn draw_target() -> ProgressDrawTarget {
    match std::env::var(COLUMNS).ok().and_then(|columns| columns.parse().ok()) {
        Some(width) => ProgressDrawTarget::term_like_with_hz(Box::new(Forwarded::new(width)), RATE),
        None => ProgressDrawTarget::stderr_with_hz(RATE),
    }
}

/// Standard error, with what is written kept back until it is flushed, so that a frame travels as one piece.
#[derive(Debug)]
struct Forwarded {
    width: u16,
    frame: Mutex<String>,
}

impl Forwarded {
    fn new(width: u16) -> Self {
        Forwarded { width, frame: Mutex::default() }
    }

    fn push(&self, text: &str) -> io::Result<()> {
        self.frame.lock().map_err(|_| io::Error::other("poisoned"))?.push_str(text);
        Ok(())
    }

    /// A cursor movement of `n` places: an ANSI control sequence, none for 0, which would mean 1.
    fn move_cursor(&self, n: usize, direction: char) -> io::Result<()> {
        if n == 0 { Ok(()) } else { self.push(&format!("\x1b[{n}{direction}")) }
    }
}

impl TermLike for Forwarded {
    fn width(&self) -> u16 {
        self.width
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.push(text)?;
        self.push("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.push(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.push("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let frame = std::mem::take(&mut *self.frame.lock().map_err(|_| io::Error::other("poisoned"))?);
        io::stderr().write_all(frame.as_bytes())
    }
}
