//! Panics on a rank are written down at once, with their place: one that cannot unwind ends the process.

use super::recorder::Recorder;
use crate::record::Record;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::thread;

/// From now on, panics of this thread go into the records instead of to standard error.
pub(super) fn record(recorder: &'static Recorder) {
    let tests = thread::current().id();
    let usual = take_hook();
    set_hook(Box::new(move |panic| {
        if thread::current().id() != tests {
            return usual(panic);
        }
        recorder.write(&Record::Panic { message: describe(panic) });
        if Backtrace::capture().status() == BacktraceStatus::Captured {
            // The standard hook knows how to print it.
            usual(panic);
        }
    }));
}

fn describe(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    format!("panicked{place}: {}", message.unwrap_or("(a value that is not text)"))
}
