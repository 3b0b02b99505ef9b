//! What was attached: memory of ours, which MPI uses until it has given it back.
#![allow(unsafe_code)]

use super::calls::{self, Owner};
use super::own::Pool;
use super::{OVERHEAD, none};
use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::Call;
use std::fmt;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::raw::c_void;
use std::sync::Arc;

/// As strictly aligned as any library wants its headers.
pub(super) type Block = MaybeUninit<u128>;
pub(super) const ALIGN: usize = align_of::<Block>();

/// A buffer that is attached.
pub(crate) struct Attached {
    kind: Kind,
    /// One more count for each request that flushes it, which detaching would pull the rug from under.
    flushing: Arc<()>,
}

enum Kind {
    /// Memory that this crate deals out itself, since the library's buffered mode has a fault, or there is none.
    Own(Pool),
    /// Memory of ours. MPI may write it at any time: nothing here refers to what is in it.
    Memory { blocks: Vec<Block>, bytes: usize },
    /// MPI allocates as it needs (`MPI_BUFFER_AUTOMATIC`).
    #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
    Automatic,
}

/// Takes a buffer out of its place, to detach it.
pub(super) fn take(place: &mut Option<Attached>, call: Call) -> Result<Attached> {
    match place {
        Some(attached) if attached.is_being_flushed() => {
            Err(Error::argument(call, Argument::BeingFlushed, 0, 0))
        }
        _ => place.take().ok_or_else(|| none(call)),
    }
}

/// `Err` if a buffer is attached already.
pub(super) fn require_vacant(place: &Option<Attached>, call: Call) -> Result<()> {
    match place {
        None => Ok(()),
        Some(_) => Err(Error::argument(call, Argument::SecondBuffer, 0, 0)),
    }
}

impl Attached {
    fn new(kind: Kind) -> Self {
        Attached { kind, flushing: Arc::default() }
    }

    /// Allocates memory and attaches it. MPI is live.
    pub(super) fn memory(owner: Owner, bytes: usize) -> Result<Self> {
        let call = owner.attach();
        // Before MPI: MPICH refuses such a buffer, and takes it for attached all the same (`buffer-attach-refused`).
        if bytes < OVERHEAD {
            return Err(Error::length(call, Argument::SmallBuffer, bytes, OVERHEAD));
        }
        let mut blocks: Vec<Block> = Vec::new();
        let enough = bytes.div_ceil(size_of::<Block>());
        let too_large = |_| Error::length(call, Argument::Count, bytes, isize::MAX as usize);
        blocks.try_reserve_exact(enough).map_err(too_large)?;
        if owner.is_own() {
            return Ok(Attached::new(Kind::Own(Pool::new(blocks, bytes))));
        }
        // Leaked if MPI reports an error: who knows what it has made of the address by then.
        let mut blocks = ManuallyDrop::new(blocks);
        // SAFETY: `bytes` bytes of memory, which stays where it is until MPI has given it back (`take_back`).
        unsafe { calls::attach(owner, blocks.as_mut_ptr().cast(), bytes) }?;
        Ok(Attached::new(Kind::Memory { blocks: ManuallyDrop::into_inner(blocks), bytes }))
    }

    /// Has MPI allocate. MPI is live.
    pub(super) fn automatic(owner: Owner) -> Result<Self> {
        #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
        if !owner.is_own() {
            // SAFETY: the constant that asks for it; the size is ignored.
            unsafe { calls::attach(owner, crate::ffi::MPI_BUFFER_AUTOMATIC, 0) }?;
            return Ok(Attached::new(Kind::Automatic));
        }
        Err(Error::unsupported(owner.attach(), Needs::Standard(4, 1)))
    }

    pub(super) fn bytes(&self) -> usize {
        match &self.kind {
            Kind::Own(pool) => pool.bytes(),
            Kind::Memory { bytes, .. } => *bytes,
            #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
            Kind::Automatic => 0,
        }
    }

    /// The memory that this crate deals out.
    pub(super) fn pool(&mut self) -> Option<&mut Pool> {
        match &mut self.kind {
            Kind::Own(pool) => Some(pool),
            _ => None,
        }
    }

    /// A count that keeps it attached.
    pub(super) fn flushing(&self) -> Arc<()> {
        self.flushing.clone()
    }

    fn is_being_flushed(&self) -> bool {
        Arc::strong_count(&self.flushing) > 1
    }

    /// Where MPI was told the buffer is, and its size; `None` if it was told nothing.
    fn parts(&mut self) -> Option<(*mut c_void, usize)> {
        match &mut self.kind {
            Kind::Own(_) => None,
            Kind::Memory { blocks, bytes } => Some((blocks.as_mut_ptr().cast(), *bytes)),
            #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
            Kind::Automatic => Some((crate::ffi::MPI_BUFFER_AUTOMATIC, 0)),
        }
    }

    /// Waits until MPI is done with the buffer. If MPI does not say so, or still flushes it (which only the end of a host's
    /// MPI finds), the memory is leaked: it may be written still. MPI is live.
    pub(super) fn take_back(self, owner: Owner) -> Result<Attached> {
        let call = owner.detach();
        if let Attached { kind: Kind::Own(pool), flushing } = self {
            return pool.finish().map(|pool| Attached { kind: Kind::Own(pool), flushing });
        }
        let mut attached = ManuallyDrop::new(self);
        if attached.is_being_flushed() {
            return Err(Error::argument(call, Argument::BeingFlushed, 0, 0));
        }
        // SAFETY: MPI is live: the callers hold it so, or end it.
        let returned = unsafe { calls::detach(owner) }?;
        if attached.parts().is_none_or(|(address, _)| address != returned) {
            return Err(none(call)); // a host program has taken ours away, and may have attached another
        }
        Ok(ManuallyDrop::into_inner(attached))
    }

    /// Attaches what was taken back. MPI is live.
    pub(super) fn attach_again(&mut self, owner: Owner) -> Result<()> {
        match self.parts() {
            None => Ok(()),
            // SAFETY: memory that MPI has given back, as `memory` gave it.
            Some((address, bytes)) => unsafe { calls::attach(owner, address, bytes) },
        }
    }
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attached").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}
