//! Some libraries end the process inside `MPI_Init` when the launcher of another MPI started it: MPICH 5 under Open
//! MPI's `mpirun` says "unsupported PMI version PMIx" and exits. Whether one does depends on how it was built, so that
//! it cannot be known before the call. An exit handler then says what is wrong.
#![allow(unsafe_code)]

use super::{identity, info, launcher};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static IN_INIT: AtomicBool = AtomicBool::new(false);

/// How long the other processes wait before they exit: the launcher ends the job with the first that does, and it
/// should not be the one that speaks for all.
const PATIENCE: Duration = Duration::from_millis(300);

/// Calls `init`, and explains if the process exits in it.
pub(super) fn explained<R>(init: impl FnOnce() -> R) -> R {
    // Miri has no `atexit`.
    if !cfg!(miri) {
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(|| {
            // SAFETY: `explain` is a plain C function that does not unwind: it writes one line.
            unsafe { libc::atexit(explain) };
        });
    }
    IN_INIT.store(true, Ordering::Relaxed);
    let result = init();
    IN_INIT.store(false, Ordering::Relaxed);
    result
}

extern "C" fn explain() {
    if !IN_INIT.load(Ordering::Relaxed) {
        return;
    }
    // A process alone is what an unknown launcher would have made of it.
    match launcher::foreign(info::bound_family(), 1, |name| std::env::var(name).ok()) {
        Some(foreign) if foreign.speaker => identity::report(foreign.error()),
        Some(_) => std::thread::sleep(PATIENCE),
        None => {}
    }
}
