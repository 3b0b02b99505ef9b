//! What becomes of operations whose owner is dropped while they are in flight.
//!
//! A drop cannot see why it happens, so it looks at whether an error of this crate came up on the thread since the
//! operations were started. If so, what they wait for may never come, and a rank that returns early must not hang in
//! silence: the rule for a scope that ends with an error applies.

use crate::environment::{report, stall_limit};
use crate::error::errors_seen;
use crate::scope::{Note, end_job};
use std::time::{Duration, Instant};

/// Operations in flight, on a thread that may call MPI, which is live.
pub(crate) trait InFlight {
    /// Asks MPI once whether it is done with all of them. An error is an end as well.
    fn is_over(&mut self) -> bool;
    /// One that is not complete.
    fn note(&self) -> Note;
    /// Cancels what is received for and can be cancelled.
    fn cancel(&mut self);
    /// Waits for all, without limit.
    fn wait(&mut self);
}

/// Waits, and says so in one line after the stall limit. If an error came up since `errors` was what
/// [`errors_seen`] said: cancels receives, polls up to the stall limit, and ends the job if that is not enough.
pub(crate) fn finish(operations: &mut impl InFlight, errors: u32) {
    let (limit, failed) = (stall_limit(), errors != errors_seen());
    if failed {
        operations.cancel();
    }
    if is_over_within(operations, limit) {
        return;
    }
    let note = operations.note();
    if failed {
        end_job(note, &format!("is still in flight {limit:?} after it was dropped because of an error"));
    }
    report(format_args!("{note} was dropped, and has been waited for since {limit:?}"));
    operations.wait();
}

fn is_over_within(operations: &mut impl InFlight, limit: Duration) -> bool {
    if operations.is_over() {
        return true;
    }
    let start = Instant::now();
    while start.elapsed() < limit {
        std::thread::yield_now();
        if operations.is_over() {
            return true;
        }
    }
    false
}
