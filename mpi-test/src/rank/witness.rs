//! Signal handlers that write down where a rank stands: asked to, when it is hung, or because it is about to die.
//!
//! A backtrace is not async-signal-safe: it allocates and takes locks, which the interrupted code may hold. Both kinds
//! of signal come to a process that is doomed, so the worst outcome is a stack that is missing from the report; an
//! alarm ends a handler that got stuck.

use super::recorder::Recorder;
use crate::record::Record;
use libc::{c_int, c_uint};
use std::backtrace::Backtrace;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The signal that asks a rank where it stands.
pub(crate) const QUESTION: c_int = libc::SIGUSR2;

const DEADLY: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT];

/// Seconds after which the kernel ends a process whose handler does not come back.
const PATIENCE: c_uint = 5;

/// Symbolizing a backtrace takes more than the few pages that threads get as their signal stack.
const STACK: usize = 1 << 20;

struct Witness {
    stack: PathBuf,
    recorder: &'static Recorder,
}

static WITNESS: OnceLock<Witness> = OnceLock::new();

/// The handlers that stood before ours: the standard library's message about stack overflow, MPI's own reports.
static PREVIOUS: OnceLock<Vec<(c_int, libc::sigaction)>> = OnceLock::new();

/// From now on, [`QUESTION`] is answered in the file `stack`.
pub(super) fn answer_questions(stack: PathBuf, recorder: &'static Recorder) {
    WITNESS.get_or_init(|| Witness { stack, recorder });
    use_large_signal_stack();
    install(QUESTION, testify);
}

/// From now on, deadly signals are recorded before they are passed on.
pub(super) fn report_crashes() {
    PREVIOUS.get_or_init(|| DEADLY.iter().map(|&signal| (signal, install(signal, testify))).collect());
}

extern "C" fn testify(signal: c_int) {
    let Some(witness) = WITNESS.get() else { return };
    // SAFETY: alarm has no preconditions.
    unsafe { libc::alarm(PATIENCE) };
    if signal != QUESTION {
        witness.recorder.write(&Record::Signal { number: signal });
    }
    let draft = witness.stack.with_extension("draft");
    let written = fs::write(&draft, Backtrace::force_capture().to_string());
    // Renamed, so that a reader sees all of it or nothing. An answer that cannot be written is reported as silence.
    let _ = written.and_then(|()| fs::rename(&draft, &witness.stack));
    let previous = PREVIOUS.get().into_iter().flatten().find(|(number, _)| *number == signal);
    if let Some((_, action)) = previous {
        // The instruction that faulted runs again, or `abort` raises its signal again, and meets the old handler.
        set_action(signal, action);
    }
}

fn install(signal: c_int, handler: extern "C" fn(c_int)) -> libc::sigaction {
    // SAFETY: sigaction is plain old data, for which all zeros is a value: no flags, no signal blocked.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler as *const () as libc::sighandler_t;
    action.sa_flags = libc::SA_ONSTACK | libc::SA_RESTART;
    set_action(signal, &action)
}

fn set_action(signal: c_int, action: &libc::sigaction) -> libc::sigaction {
    // SAFETY: as in `install`.
    let mut previous: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: both point to live sigaction values; the new one is `testify`, which has the signature of a handler
    // without SA_SIGINFO, or one that the system returned.
    unsafe { libc::sigaction(signal, action, &raw mut previous) };
    previous
}

/// For this thread, which runs the tests. Leaked: the process ends with the thread.
fn use_large_signal_stack() {
    let memory = Box::leak(vec![0_u8; STACK].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK };
    // SAFETY: `stack` describes memory that nobody else uses and that is never freed; the old one is not asked for.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
}
