//! Who uses a communicator: its handle, and the operations that own their buffer and so may outlive it.
//!
//! The last of them frees it. MPI allows to free a communicator while operations use it, but Open MPI then ends the job
//! if one of them fails, by an error handler that the operation no longer finds (`tests/owned/ends.rs`).
#![allow(unsafe_code)]

use super::Communicator;
use crate::environment::{Instance, live};
use crate::error::{Error, Result, Returned, State};
use crate::ffi::{self, Call, MPI_Comm, check};
use crate::p2p::buffered::Attached;
use std::cell::RefCell;
use std::mem;
use std::sync::Arc;

const FREE: Call = &"MPI_Comm_free";

/// One use of a communicator, which is valid as long, and MPI is not finalized. Neither `Send` nor `Sync`, as
/// [`Instance`].
#[derive(Clone, Debug)]
pub(crate) struct Users(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    raw: MPI_Comm,
    /// Whether the communicator was made for us, and not freed yet.
    owned: bool,
    /// What its buffered sends copy into, if it has a buffer of its own.
    buffer: RefCell<Option<Attached>>,
    /// Dropped after `drop` has freed the communicator: the last one finalizes MPI.
    _instance: Instance,
}

impl Users {
    #[expect(clippy::arc_with_non_send_sync, reason = "the count stays right where a handle is shared")]
    pub(super) fn new(raw: MPI_Comm, owned: bool) -> Self {
        Users(Arc::new(Shared { raw, owned, buffer: RefCell::default(), _instance: Instance::new() }))
    }
}

impl Shared {
    /// Frees what is owned, and the buffer, once.
    fn free(&mut self) -> Result<()> {
        live(FREE)?;
        if let Some(attached) = self.buffer.take() {
            attached.leave(self.raw)?;
        }
        if self.owned {
            // SAFETY: a communicator that was made for its users alone, and not freed yet; MPI is live.
            check(FREE, unsafe { ffi::MPI_Comm_free(&raw mut self.raw) })?;
            self.owned = false;
        }
        Ok(())
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Freeing is collective: a rank that unwinds must not wait in it. After a host's finalize nothing is left.
        if !std::thread::panicking() && live(FREE).is_ok() {
            let _ = self.free(); // `Communicator::free` is for those who ask
        }
        // What MPI has not given back may be written still.
        mem::forget(self.buffer.take());
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
    /// Dropping it while operations use it leaves that to the last of them.
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
        match self.users.free() {
            Ok(()) => Ok(()),
            Err(error) => Err(Returned { error, data: self }),
        }
    }

    /// The buffer of its buffered sends, if it has one of its own.
    #[inline]
    pub(crate) fn buffer(&self) -> &RefCell<Option<Attached>> {
        &self.users.0.buffer
    }

    /// One more use of the communicator.
    #[inline]
    pub(crate) fn user(&self) -> Users {
        self.users.clone()
    }
}

impl Users {
    fn free(&mut self) -> Result<()> {
        let others = Arc::strong_count(&self.0) - 1;
        match Arc::get_mut(&mut self.0) {
            Some(shared) => shared.free(),
            None => Err(Error::state(FREE, State::InUse(u32::try_from(others).unwrap_or(u32::MAX)))),
        }
    }
}
