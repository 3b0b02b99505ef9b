//! Who uses a communicator: its handle, and the operations that own their buffer and so may outlive it.
#![allow(unsafe_code)]

use super::Communicator;
use crate::environment::{Instance, live};
use crate::error::{Error, Result, Returned, State};
use crate::ffi::{self, Call, check};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One use of a communicator. While one exists MPI is not finalized. Neither `Send` nor `Sync`, as [`Instance`].
#[derive(Clone, Debug)]
pub(crate) struct Users(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Whether the handle has freed the communicator: an operation that is in flight goes on, none can start.
    freed: AtomicBool,
    _instance: Instance,
}

impl Users {
    #[expect(clippy::arc_with_non_send_sync, reason = "the count stays right where a handle is shared")]
    pub(super) fn new() -> Self {
        Users(Arc::new(Shared { freed: AtomicBool::new(false), _instance: Instance::new() }))
    }

    /// How many operations use the communicator besides its handle.
    fn others(&self) -> usize {
        Arc::strong_count(&self.0) - 1
    }

    /// `Err` if the handle has freed the communicator.
    pub(crate) fn usable(&self, call: Call) -> Result<()> {
        if self.0.freed.load(Ordering::Relaxed) { Err(Error::state(call, State::Freed)) } else { Ok(()) }
    }
}

impl Communicator {
    /// Frees the communicator, and says if that failed, which dropping it cannot. Collective.
    ///
    /// `MPI_Comm_free` (MPI 4.1 §7.4.3). A handle to the world is only dropped.
    ///
    /// # Errors
    /// Operations that own their buffer ([`Pending`](crate::request::Pending)) still use it, MPI has ended, or what MPI
    /// reports. The communicator comes back in the error.
    ///
    /// Dropping it while operations use it is allowed: they are completed nevertheless.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let library = world.dup()?;
    /// let incoming = library.irecv(vec![0.0; 100], 0, 7)?;
    /// let library = library.free().expect_err("the receive uses it").data;
    /// incoming.wait()?;
    /// library.free()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Comm_free")]
    pub fn free(mut self) -> Result<(), Returned<Self>> {
        match self.try_free() {
            Ok(()) => Ok(()),
            Err(error) => Err(Returned { error, data: self }),
        }
    }

    fn try_free(&mut self) -> Result<()> {
        let call: Call = &"MPI_Comm_free";
        live(call)?;
        match self.users.others() {
            0 => self.release(call),
            n => Err(Error::state(call, State::InUse(u32::try_from(n).unwrap_or(u32::MAX)))),
        }
    }

    /// Frees what the handle owns, once. MPI is live.
    pub(super) fn release(&mut self, call: Call) -> Result<()> {
        if !self.owned {
            return Ok(());
        }
        // SAFETY: a communicator that was made for this handle alone, and not freed yet; MPI is live. Operations on it
        // may still be in flight (MPI 4.1 §7.4.3).
        check(call, unsafe { ffi::MPI_Comm_free(&raw mut self.raw) })?;
        self.owned = false;
        self.users.0.freed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// One more use of the communicator.
    #[inline]
    pub(crate) fn user(&self) -> Users {
        self.users.clone()
    }
}
