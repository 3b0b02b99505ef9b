//! Passing signals on to the launcher, which has a session of its own and so gets none from the terminal.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// Signals that mean: end the job.
const FORWARDED: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// The launcher to pass signals on to; 0 while there is none. The latest job's, if a process has several.
static LAUNCHER: AtomicU32 = AtomicU32::new(0);

/// How many signals have come.
static RECEIVED: AtomicU32 = AtomicU32::new(0);

/// While it lives, this process survives `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT` and passes them on to its job.
#[derive(Debug)]
#[must_use = "signals are forwarded only as long as this lives"]
pub struct Forwarding(());

/// Passes signals that ask this process to end on to the job it has started.
///
/// To be called once the job runs: a signal that comes earlier then ends this process, and the job with it.
///
/// # Errors
/// If the system refuses.
pub fn forward_signals() -> io::Result<Forwarding> {
    FORWARDED
        .into_iter()
        .try_for_each(|signal| install(signal, forward as *const () as libc::sighandler_t))?;
    Ok(Forwarding(()))
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        for signal in FORWARDED {
            // It was accepted when the handler was installed.
            let _ = install(signal, libc::SIG_DFL);
        }
    }
}

fn install(signal: libc::c_int, handler: libc::sighandler_t) -> io::Result<()> {
    // SAFETY: sigaction is plain old data, for which all zeros is a value: no flags, no signal blocked.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = libc::SA_RESTART;
    // SAFETY: `action` is a live sigaction whose handler is SIG_DFL or `forward`, which is async-signal-safe and has
    // the signature of a handler without SA_SIGINFO; the old action is not asked for.
    let code = unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) };
    if code == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// The handler: atomics and `kill`, which are async-signal-safe.
extern "C" fn forward(signal: libc::c_int) {
    RECEIVED.fetch_add(1, Ordering::SeqCst);
    send(LAUNCHER.load(Ordering::SeqCst), signal);
}

pub(super) fn received() -> u32 {
    RECEIVED.load(Ordering::SeqCst)
}

pub(super) fn watch(launcher: u32) {
    LAUNCHER.store(launcher, Ordering::SeqCst);
}

/// To be called before the launcher is reaped: afterwards its id may become someone else's.
pub(super) fn forget(launcher: u32) {
    let _ = LAUNCHER.compare_exchange(launcher, 0, Ordering::SeqCst, Ordering::SeqCst);
}

/// Sends a signal, to nobody if the id is 0; a process that is gone already is no error.
pub(super) fn send(id: u32, signal: libc::c_int) {
    let id = id.cast_signed();
    if id > 0 {
        // SAFETY: kill takes two integers; a positive id names one process, never a group.
        unsafe { libc::kill(id, signal) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn send_group(leader: u32, signal: libc::c_int) {
    let leader = leader.cast_signed();
    if leader > 0 {
        // SAFETY: kill takes two integers; the negative id names the group that the launcher leads.
        unsafe { libc::kill(-leader, signal) };
    }
}
