//! The communicator handle: it counts as a use of MPI, and frees what it owns.
#![allow(unsafe_code)]

use super::users::Users;
use crate::environment::{in_callback, live};
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Comm, check};
use crate::topology::Neighbors;
use std::fmt;
use std::os::raw::c_int;

/// A group of processes and a context for their messages.
///
/// Held by value. While any handle exists MPI is not finalized. Dropping a communicator that was created
/// ([`dup`](Communicator::dup), [`split`](Communicator::split), …) frees it, which is collective: all its ranks
/// drop it in the same order. If requests that [own their buffer](crate::request::Pending) still use it, the last of them
/// frees it; [`free`](Communicator::free) refuses instead. `!Send` and `!Sync` with every MPI library.
///
/// ```no_run
/// let world = mpi::init()?;
/// let halves = world.split(Some(world.rank() % 2), 0)?.expect("every rank gave a color");
/// println!("rank {} of {} is {} of {}", world.rank(), world.size(), halves.rank(), halves.size());
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Comm")]
pub struct Communicator {
    raw: MPI_Comm,
    rank: c_int,
    size: c_int,
    /// What its topology says, if it has one.
    neighbors: Option<Neighbors>,
    /// Whether ranks compare what they give before each blocking collective.
    pub(super) is_checked: bool,
    /// The last of them frees the communicator.
    pub(super) users: Users,
}

impl Communicator {
    /// A handle to a communicator that others free.
    pub(crate) fn predefined(raw: MPI_Comm) -> Result<Self> {
        Self::new(raw, false)
    }

    /// A handle to a communicator that MPI has just made for us.
    pub(crate) fn created(raw: MPI_Comm) -> Result<Self> {
        crate::environment::return_errors(raw)?;
        Self::new(raw, true)
    }

    /// A handle to a communicator that MPI has just made for us out of this one, and what was set here holds there.
    pub(crate) fn child(&self, raw: MPI_Comm) -> Result<Self> {
        Ok(Communicator { is_checked: self.is_checked, ..Self::created(raw)? })
    }

    fn new(raw: MPI_Comm, owned: bool) -> Result<Self> {
        let (mut rank, mut size) = (0, 0);
        // SAFETY: a valid communicator; the out-argument is ours.
        check(&"MPI_Comm_rank", unsafe { ffi::MPI_Comm_rank(raw, &raw mut rank) })?;
        // SAFETY: as above.
        check(&"MPI_Comm_size", unsafe { ffi::MPI_Comm_size(raw, &raw mut size) })?;
        // Counted when nothing can fail any more: where the caller holds finalize off, dropping the last would wait
        // for itself.
        Ok(Communicator {
            raw,
            rank,
            size,
            neighbors: None,
            is_checked: false,
            users: Users::new(raw, owned),
        })
    }

    /// Another handle to the world, where MPI is live and this thread may use it. See [`init`](crate::init).
    ///
    /// # Errors
    /// MPI is not live, or another thread owns it.
    #[doc(alias = "MPI_COMM_WORLD")]
    pub fn world() -> Result<Self> {
        let _entered = crate::environment::enter(&"MPI_Comm_rank")?;
        Self::predefined(crate::environment::world_handle())
    }

    /// The communicator of this process alone, where MPI is live and this thread may use it.
    ///
    /// # Errors
    /// MPI is not live, or another thread owns it.
    #[doc(alias = "MPI_COMM_SELF")]
    pub fn this_process() -> Result<Self> {
        let _entered = crate::environment::enter(&"MPI_Comm_dup")?;
        duplicate(ffi::MPI_COMM_SELF)
    }

    /// This process's rank (`MPI_Comm_rank`, MPI 4.1 §7.4.1): 0 to `size() - 1`.
    #[doc(alias = "MPI_Comm_rank")]
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank as usize
    }

    /// How many processes there are (`MPI_Comm_size`, MPI 4.1 §7.4.1).
    #[doc(alias = "MPI_Comm_size")]
    #[inline]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// Ends the job: all processes of the world (`MPI_Abort`, MPI 4.1 §9.7). `code` becomes the exit code.
    #[doc(alias = "MPI_Abort")]
    pub fn abort(&self, code: i32) -> ! {
        // The one function that one which MPI has called may call.
        if live(&"MPI_Abort").is_err() && !in_callback() {
            std::process::exit(code);
        }
        ffi::abort(code)
    }

    #[inline]
    pub(crate) fn raw(&self) -> MPI_Comm {
        self.raw
    }

    /// How many ranks a destination or source can be.
    #[inline]
    pub(crate) fn peers(&self) -> c_int {
        self.size
    }

    /// How many neighbours this rank has.
    ///
    /// `Err` if the communicator has no topology.
    #[inline(always)]
    pub(crate) fn neighbors(&self, call: Call) -> Result<Neighbors> {
        self.neighbors.ok_or_else(|| Error::length(call, Argument::Topology, self.size(), 0))
    }

    /// How many neighbours this rank has, if the communicator has a topology.
    #[inline]
    pub(crate) fn topology(&self) -> Option<Neighbors> {
        self.neighbors
    }

    /// The same communicator, of which the topology is known: `self` was made with it.
    pub(crate) fn with_neighbors(self, neighbors: Option<Neighbors>) -> Self {
        Communicator { neighbors, ..self }
    }

    #[inline]
    pub(crate) fn is_root(&self, call: Call, root: usize) -> Result<bool> {
        if root >= self.size as usize {
            return Err(Error::length(call, Argument::Root, root, self.size()));
        }
        Ok(root == self.rank as usize)
    }
}

impl Communicator {
    /// `MPI_Comm_dup`, which copies the topology too.
    pub(super) fn duplicated(&self) -> Result<Communicator> {
        let mut copy = duplicate(self.raw)?.with_neighbors(self.neighbors);
        copy.is_checked = self.is_checked;
        Ok(copy)
    }
}

/// `MPI_Comm_dup`.
fn duplicate(comm: MPI_Comm) -> Result<Communicator> {
    let mut raw = ffi::MPI_COMM_NULL;
    // SAFETY: a valid communicator; the out-argument is ours.
    check(&"MPI_Comm_dup", unsafe { ffi::MPI_Comm_dup(comm, &raw mut raw) })?;
    Communicator::created(raw)
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Communicator")
            .field("rank", &self.rank)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}
