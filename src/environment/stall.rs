//! How long a scope that ends with an error waits before it ends the job.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

static LIMIT_MS: AtomicU64 = AtomicU64::new(10_000);

/// Sets how long a scope that ends with an `Err` polls what is still in flight before it ends the job, naming
/// the call, the peer and the tag it waited for. The default is 10 seconds.
pub fn set_stall_limit(limit: Duration) {
    LIMIT_MS.store(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// The limit in force.
pub fn stall_limit() -> Duration {
    Duration::from_millis(LIMIT_MS.load(Ordering::Relaxed))
}
