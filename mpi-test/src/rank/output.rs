//! Standard output and error of a rank, in a file of its own.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;

/// Where everything this process prints goes, whether by Rust, C or a library.
#[derive(Debug)]
pub(super) struct Output {
    file: File,
}

impl Output {
    pub(super) fn redirect(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        for standard in [libc::STDOUT_FILENO, libc::STDERR_FILENO] {
            point_at(standard, &file)?;
        }
        Ok(Self { file })
    }

    /// How much has been printed.
    pub(super) fn offset(&self) -> u64 {
        self.flush();
        self.file.metadata().as_ref().map_or(0, Metadata::len)
    }

    /// Writes out what Rust and C hold back.
    fn flush(&self) {
        // Output that cannot be written is lost; the test's result is not.
        let _ = io::stdout().flush();
        // SAFETY: a null pointer means all open streams of C.
        unsafe { libc::fflush(std::ptr::null_mut()) };
    }
}

fn point_at(standard: RawFd, file: &File) -> io::Result<()> {
    // SAFETY: both descriptors are open; dup2 closes the old meaning of a standard one, which nobody owns in Rust.
    match unsafe { libc::dup2(file.as_raw_fd(), standard) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
