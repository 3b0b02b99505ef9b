//! Whether something has gone wrong on this thread since an operation was posted.
//!
//! A request that is dropped cannot see why: at the end of its block, or by the `?` of another call. After an
//! error, what it waits for may never come, and a rank that returns early must not hang in silence.

use std::cell::Cell;

thread_local!(static SEEN: Cell<u32> = const { Cell::new(0) });

/// Called where an error is made.
#[cold]
#[inline(never)]
pub(super) fn note_error() {
    SEEN.set(SEEN.get().wrapping_add(1));
}

/// A number that changes with each error of this crate on this thread.
#[inline(always)]
pub(crate) fn errors_seen() -> u32 {
    SEEN.get()
}
