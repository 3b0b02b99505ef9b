//! One launch at a time on a machine: ranks of two launches that share cores spin against each other.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// The right to have a job running on this machine, until it is dropped or the process ends.
///
/// Launches of `#[mpi::test]` take turns by it. A test that starts jobs by itself had better do so too.
///
/// ```
/// let _turn = mpi_test::Turn::wait()?;
/// // … `mpiexec` …
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the turn ends when this is dropped"]
pub struct Turn {
    _file: File,
}

impl Turn {
    /// Waits until no other process of this user has a turn.
    ///
    /// # Errors
    /// If the lock file in the temporary folder cannot be made.
    pub fn wait() -> io::Result<Self> {
        // Other users' files in the temporary folder cannot be locked.
        // SAFETY: geteuid has no preconditions and cannot fail.
        let user = unsafe { libc::geteuid() };
        let path = std::env::temp_dir().join(format!("mpi-test-{user}.lock"));
        let explain = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let file = File::options().create(true).append(true).open(&path).map_err(explain)?;
        exclusively(&file).map_err(explain)?;
        Ok(Self { _file: file })
    }
}

/// `flock`, begun again when a signal interrupts it. (`File::lock` is newer than the stated Rust version.)
fn exclusively(file: &File) -> io::Result<()> {
    loop {
        // SAFETY: the descriptor is open as long as `file` is borrowed; the operation is a constant.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) } == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
