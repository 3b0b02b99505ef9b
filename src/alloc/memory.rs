//! The owner of memory from MPI.

use crate::buffer::{OwnedRecv, OwnedSend, RecvBuf, RecvSlice, Region, SendBuf, SendSlice};
use crate::datatype::{AnyBits, Datatype};
use crate::environment::{Instance, usable_here};
use crate::error::Result;
use crate::ffi;
use std::alloc::{Layout, alloc, dealloc};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::slice;

/// Where the memory is from, and goes back to.
pub(super) enum Block {
    Nothing,
    /// MPI is kept live until it is freed.
    Mpi {
        base: NonNull<u8>,
        _live: Instance,
    },
    Rust {
        base: NonNull<u8>,
        layout: Layout,
    },
}

impl Block {
    /// Memory of Rust's allocator. The layout has a size.
    pub(super) fn rust(layout: Layout) -> Option<Self> {
        // SAFETY: the size is not 0, by this function's contract, which its one caller keeps.
        let base = NonNull::new(unsafe { alloc(layout) })?;
        Some(Block::Rust { base, layout })
    }

    pub(super) fn start(&self) -> NonNull<u8> {
        match *self {
            Block::Nothing => NonNull::dangling(),
            Block::Mpi { base, .. } | Block::Rust { base, .. } => base,
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        match *self {
            Block::Nothing => {}
            Block::Mpi { base, .. } => {
                if usable_here() {
                    // SAFETY: from `MPI_Alloc_mem`, freed once; MPI is live.
                    unsafe { ffi::MPI_Free_mem(base.as_ptr().cast()) };
                }
            }
            // SAFETY: allocated with this layout, freed once.
            Block::Rust { base, layout } => unsafe { dealloc(base.as_ptr(), layout) },
        }
    }
}

/// Elements in memory that MPI has allocated (`MPI_Alloc_mem`), to be used like a `Box<[T]>`: a slice that can be sent,
/// received into, and owned by a request.
///
/// It counts as a use of MPI: while it exists, MPI is not finalized. Dropping it frees the memory (`MPI_Free_mem`). Where a
/// host program has started MPI and may end it at any time, the memory is Rust's.
#[doc(alias("MPI_Alloc_mem", "MPI_Free_mem"))]
pub struct Memory<T> {
    start: NonNull<T>,
    len: usize,
    _block: Block,
    elements: PhantomData<T>,
}

impl<T> Memory<T> {
    /// # Safety
    /// `len` initialized elements are at `start`, inside the block, and need no drop.
    pub(super) unsafe fn new(block: Block, start: NonNull<T>, len: usize) -> Self {
        Memory { start, len, _block: block, elements: PhantomData }
    }
}

impl<T> Deref for Memory<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: initialized elements (`new`), which `self` owns.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}
impl<T> DerefMut for Memory<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, exclusively borrowed.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: fmt::Debug> fmt::Debug for Memory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

// SAFETY: as for the slice; the memory does not move.
unsafe impl<T: Datatype> SendBuf for Memory<T> {
    type Elem = T;
    #[inline(always)]
    fn region(&self) -> Result<Region> {
        self[..].region()
    }
}
// SAFETY: as for the slice.
unsafe impl<T: Datatype> SendSlice for Memory<T> {}
// SAFETY: as for the slice; the memory does not move.
unsafe impl<T: AnyBits> RecvBuf for Memory<T> {
    type Elem = T;
    type Filled<'a> = &'a mut [T];
    #[inline(always)]
    fn region(&mut self) -> Result<Region> {
        RecvBuf::region(&mut self[..])
    }
    #[inline(always)]
    unsafe fn filled<'a>(mut this: NonNull<Memory<T>>, _: usize) -> &'a mut [T] {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        unsafe { this.as_mut() }
    }
}
// SAFETY: as for the slice.
unsafe impl<T: AnyBits> RecvSlice for Memory<T> {}

// SAFETY: memory that moves of its owner do not touch; if the owner is forgotten, it is not freed, and MPI not finalized.
unsafe impl<T: Datatype> OwnedSend for Memory<T> {
    type Elem = T;
    #[inline(always)]
    fn elements(&self) -> &[T] {
        self
    }
}
// SAFETY: as above, and the owner is the only one.
unsafe impl<T: AnyBits> OwnedRecv for Memory<T> {
    type Elem = T;
    #[inline(always)]
    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}
