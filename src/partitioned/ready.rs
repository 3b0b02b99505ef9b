//! Which partitions of a message that is sent are ready, as whoever fills them on any thread says.
#![allow(unsafe_code)]

use super::calls::MPI_Pready;
use crate::error::Result;
use crate::ffi::{Call, MPI_Request, check};
use std::ops::Deref;
use std::os::raw::c_int;
use std::sync::atomic::{AtomicU8, Ordering};

pub(super) const PREADY: Call = &"MPI_Pready";

/// Nobody has said that the partition is ready.
pub(super) const EMPTY: u8 = 0;
/// It is ready, and MPI must still be told.
pub(super) const FILLED: u8 = 1;
/// MPI was told.
pub(super) const READY: u8 = 2;

/// A state for each partition of a send, of the message's own or in a scope; none of a receive.
pub(crate) enum States<'c> {
    Own(Box<[AtomicU8]>),
    Lodged(&'c [AtomicU8]),
}

impl Deref for States<'_> {
    type Target = [AtomicU8];
    fn deref(&self) -> &[AtomicU8] {
        match self {
            States::Own(states) => states,
            States::Lodged(states) => states,
        }
    }
}

/// States of so many partitions.
pub(crate) fn states(partitions: usize) -> Box<[AtomicU8]> {
    (0..partitions).map(|_| AtomicU8::new(EMPTY)).collect()
}

/// Tells MPI, if it must be told, of every partition that it was not told of, whether somebody said that it is ready or
/// its token was forgotten. No token is alive, and the request is active.
pub(crate) fn make_ready(request: Option<MPI_Request>, states: &[AtomicU8]) -> Result<()> {
    for (i, state) in states.iter().enumerate() {
        if state.load(Ordering::Acquire) != READY {
            if let Some(request) = request {
                check(PREADY, pready(i, request))?;
            }
            state.store(READY, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// Tells MPI. The caller may call MPI.
pub(super) fn pready(index: usize, request: MPI_Request) -> c_int {
    // SAFETY: an active partitioned send, a partition of it that MPI was not told of: the states see to that.
    unsafe { MPI_Pready(index as c_int, request) }
}
