//! Passing signals on to the launcher, which has a session of its own and so gets none from the terminal.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// Signals that mean: end the job.
const FORWARDED: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// The launcher to pass signals on to; 0 while there is none. The latest job's, if a process has several.
static LAUNCHER: AtomicU32 = AtomicU32::new(0);

/// How many signals have come.
static RECEIVED: AtomicU32 = AtomicU32::new(0);

/// Signals that nobody has been sent yet: a bit for each, by its number.
static PENDING: AtomicU32 = AtomicU32::new(0);

/// While it lives, `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT` are passed on to the job, and this process survives them.
#[must_use = "signals are forwarded only as long as this lives"]
pub struct Forwarding {
    /// What these signals did before.
    previous: Vec<(libc::c_int, libc::sigaction)>,
}

/// Passes signals that ask this process to end on to the job it starts.
///
/// To be called right before the job is started: what comes until it runs is passed on when it does. What this process
/// ignores, as `nohup` has it ignore `SIGHUP`, stays ignored, by the job too.
///
/// # Errors
/// If the system refuses.
pub fn forward_signals() -> io::Result<Forwarding> {
    PENDING.store(0, Ordering::SeqCst); // what came for a job before is not for this one
    let mut forwarding = Forwarding { previous: Vec::new() };
    for signal in FORWARDED {
        if is_ignored(signal)? {
            continue;
        }
        let mut action = no_action();
        action.sa_sigaction = forward as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART;
        // SAFETY: `forward` does nothing but what is async-signal-safe, and without SA_SIGINFO takes one integer.
        let previous = unsafe { install(signal, &action) }?;
        forwarding.previous.push((signal, previous));
    }
    Ok(forwarding)
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        for (signal, action) in &self.previous {
            // SAFETY: the system itself has returned this action as the one that was valid before.
            // It can be refused no more than the one it replaces.
            let _ = unsafe { install(*signal, action) };
        }
    }
}

impl fmt::Debug for Forwarding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarding").finish_non_exhaustive()
    }
}

fn no_action() -> libc::sigaction {
    // SAFETY: sigaction is plain old data, for which all zeros is a value: the default action, no signal blocked.
    unsafe { std::mem::zeroed() }
}

/// Whether this process ignores a signal.
fn is_ignored(signal: libc::c_int) -> io::Result<bool> {
    let mut present = no_action();
    // SAFETY: a null pointer installs nothing; the other one is that of a live value.
    let code = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut present) };
    if code == 0 { Ok(present.sa_sigaction == libc::SIG_IGN) } else { Err(io::Error::last_os_error()) }
}

/// Installs an action; returns the one before.
///
/// # Safety
/// The action's handler must be SIG_DFL, SIG_IGN, or a function that is async-signal-safe and takes what its flags say.
unsafe fn install(signal: libc::c_int, action: &libc::sigaction) -> io::Result<libc::sigaction> {
    let mut previous = no_action();
    // SAFETY: both pointers come from references to live values; the handler is as the caller promises.
    let code = unsafe { libc::sigaction(signal, action, &raw mut previous) };
    if code == 0 { Ok(previous) } else { Err(io::Error::last_os_error()) }
}

/// The handler: atomics and `kill`, which are async-signal-safe. What it interrupts finds `errno` as it was.
extern "C" fn forward(signal: libc::c_int) {
    RECEIVED.fetch_add(1, Ordering::SeqCst);
    PENDING.fetch_or(1 << signal, Ordering::SeqCst);
    let errno = errno();
    // SAFETY: this thread's own.
    let before = unsafe { errno.read() };
    pass_on();
    // SAFETY: as above.
    unsafe { errno.write(before) };
}

/// Where this thread's `errno` is.
fn errno() -> *mut libc::c_int {
    #[cfg(target_os = "linux")]
    // SAFETY: there are no preconditions.
    return unsafe { libc::__errno_location() };
    #[cfg(not(target_os = "linux"))]
    // SAFETY: there are no preconditions.
    return unsafe { libc::__error() };
}

/// Sends the launcher what is pending, if there is one. Whoever comes second, the signal or the launcher, sees the other.
fn pass_on() {
    let launcher = LAUNCHER.load(Ordering::SeqCst);
    if launcher != 0 {
        let pending = PENDING.swap(0, Ordering::SeqCst);
        for signal in FORWARDED {
            if pending & (1 << signal) != 0 {
                send(launcher, signal);
            }
        }
    }
}

pub(super) fn received() -> u32 {
    RECEIVED.load(Ordering::SeqCst)
}

/// From now on signals go to this launcher, and those that came while there was none. Returns how many signals had come
/// before those.
pub(super) fn watch(launcher: u32) -> u32 {
    let pending = PENDING.load(Ordering::SeqCst).count_ones();
    let before = received().saturating_sub(pending);
    LAUNCHER.store(launcher, Ordering::SeqCst);
    pass_on();
    before
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
