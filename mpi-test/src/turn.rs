//! One launch at a time on a machine: ranks of two launches that share cores spin against each other.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::Once;

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
    /// Waits until no other process of this user, and no other thread, has a turn, and says so if there is one. Whoever has
    /// one must not wait for another.
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
        if !lock(&file, libc::LOCK_EX | libc::LOCK_NB).map_err(explain)? {
            SAID.call_once(|| say_who_is_waited_for(&path));
            lock(&file, libc::LOCK_EX).map_err(explain)?;
        }
        Ok(Self { _file: file })
    }
}

/// Once is enough for all the launches of a test program.
static SAID: Once = Once::new();

/// Where the test harness does not capture it: whoever looks at a test that does not go on must see why.
fn say_who_is_waited_for(lock: &Path) {
    let text = format!("mpi-test: waiting until other jobs of MPI tests have ended ({})\n", lock.display());
    // Nobody may be left to read it.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// `flock`, begun again when a signal interrupts it; whether the lock was free. (`File::lock` is newer than the stated Rust
/// version.)
fn lock(file: &File, operation: libc::c_int) -> io::Result<bool> {
    loop {
        // SAFETY: the descriptor is open as long as `file` is borrowed; the operation is a constant.
        if unsafe { libc::flock(file.as_raw_fd(), operation) } == 0 {
            return Ok(true);
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::Interrupted => {}
            io::ErrorKind::WouldBlock => return Ok(false),
            _ => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_another_holds_is_seen() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = || File::open(file.path()).unwrap();
        let (mine, theirs) = (open(), open());
        assert!(lock(&theirs, libc::LOCK_EX | libc::LOCK_NB).unwrap());
        assert!(!lock(&mine, libc::LOCK_EX | libc::LOCK_NB).unwrap());
        drop(theirs);
        assert!(lock(&mine, libc::LOCK_EX).unwrap());
    }
}
