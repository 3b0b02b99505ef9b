//! Requests that flush a buffer.
#![allow(unsafe_code)]

use super::attached::Attached;
use super::calls::{self, Owner};
use super::none;
use crate::comm::{Communicator, Users};
use crate::error::Result;
use crate::ffi::MPI_Status;
use crate::request::{Pending, Sealed, Way};
use crate::scope::Operation;
use std::fmt;
use std::sync::Arc;

/// A flush in flight, made by [`iflush`](super::iflush) or [`Communicator::iflush_buffer`]. It may be kept in sets with
/// other requests, as each of those that own what they are about.
pub type PendingFlush = Pending<Flushing, Flushed>;

/// The way of a flush: completion gives back nothing.
#[derive(Debug)]
pub enum Flushed {}

/// What a flush owns: that the buffer stays attached. MPICH crashes if it is detached before the flush is complete.
pub struct Flushing {
    _attached: Arc<()>,
    /// Whoever has a buffer detaches it when the last of its users goes: not before this.
    _user: Users,
}

impl Sealed for Flushed {}
impl Way<Flushing> for Flushed {
    type Output = ();
    const STATUS: bool = false;
    fn output(_: Flushing, _: MPI_Status) {}
}

const PROCESS: &Operation = &Operation { call: "MPI_Buffer_iflush", receives: false };
const COMMUNICATOR: &Operation = &Operation { call: "MPI_Comm_iflush_buffer", receives: false };

/// Starts to flush what is attached. MPI is live.
pub(super) fn start(owner: Owner, comm: &Communicator, attached: Option<&Attached>) -> Result<PendingFlush> {
    owner.require_iflush()?;
    let attached = attached.ok_or_else(|| none(owner.iflush()))?;
    let operation = match owner {
        Owner::Process => PROCESS,
        Owner::Communicator(_) => COMMUNICATOR,
    };
    let flushing = Flushing { _attached: attached.flushing(), _user: comm.user() };
    let started = Pending::post(
        comm.user(),
        operation,
        (0, 0),
        flushing,
        |_| (),
        |(), request| {
            // SAFETY: MPI is live; detaching is refused while `Flushing` exists, which the request owns until it is complete.
            unsafe { calls::iflush(owner, request) }
        },
    );
    Ok(started?)
}

impl fmt::Debug for Flushing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Flushing")
    }
}
