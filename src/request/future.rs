//! Owned requests as futures: a poll is an `MPI_Test`, and a task that has to wait wakes itself.
//!
//! MPI has no way to wake anybody, so the alternative would be a thread that spins in it instead.

use super::flight::Landing;
use super::pending::output;
use super::{Looked, Pending, PendingSet, Test, Way};
use crate::error::Failed;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The buffer does not move when the request does: nothing in it is pinned.
impl<B, W: Way<B>> Unpin for Pending<B, W> {}

/// See [`Pending`], "As a future".
///
/// # Panics
/// If it is polled after it was ready.
impl<B, W: Way<B>> Future for Pending<B, W> {
    type Output = Result<W::Output, Failed<B>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let landed: Option<Landing<B>> = self.get_mut().flight.poll();
        ready_or_again(landed.map(|result| result.map(output::<B, W>)), cx)
    }
}

/// See [`PendingSet`]. A set that was drained is ready, with nothing.
impl<B, W: Way<B>> Future for PendingSet<B, W> {
    type Output = Result<Vec<W::Output>, Failed<B>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        ready_or_again(found(self.get_mut().test_all()), cx)
    }
}
/// As for [`Pending`].
impl<B, W: Way<B>> Unpin for PendingSet<B, W> {}

/// What a set has found, if it has.
pub(super) fn found<O, B>(looked: Looked<O, B>) -> Option<Result<O, Failed<B>>> {
    match looked {
        Ok(Test::Pending(())) => None,
        Ok(Test::Done(all)) => Some(Ok(all)),
        Err(failed) => Some(Err(failed)),
    }
}

/// `Ready`, or `Pending` with the wish to be polled again.
pub(super) fn ready_or_again<T>(found: Option<T>, cx: &Context<'_>) -> Poll<T> {
    match found {
        Some(found) => Poll::Ready(found),
        None => {
            cx.waker().wake_by_ref();
            Poll::Pending
        }
    }
}
