//! Where the handles of persistent requests live: with their owner, or in a scope.

use crate::ffi::{self, MPI_Request};
use crate::scope::{Arena, Chunk, Kind, Note, Slot};
use std::cell::Cell;

/// Handles of inactive persistent requests, one after the other. They move only while they are inactive, which MPI
/// does not notice.
pub(crate) enum Slots<'c> {
    Own(Vec<Slot>),
    Lodged(Lodging<'c>),
}

/// Places in an arena, which completes and frees at its end what is left in them.
pub(crate) struct Lodging<'s> {
    arena: &'s Arena<'s>,
    chunk: &'s Chunk,
    len: usize,
}

impl<'c> Slots<'c> {
    pub(crate) fn own() -> Self {
        Slots::Own(Vec::new())
    }

    pub(crate) fn lodged(arena: &'c Arena<'c>, room: usize) -> Self {
        Self::lodged_in(arena, arena.chunk(Kind::Persistent, room))
    }

    pub(crate) fn lodged_in(arena: &'c Arena<'c>, chunk: &'c Chunk) -> Self {
        Slots::Lodged(Lodging { arena, chunk, len: 0 })
    }

    #[inline(always)]
    pub(crate) fn all(&self) -> &[Slot] {
        match self {
            Slots::Own(slots) => slots,
            Slots::Lodged(lodging) => lodging.all(),
        }
    }

    /// The handles, as MPI takes them. `Cell<MPI_Request>` has the layout of `MPI_Request` and may be written through.
    #[inline(always)]
    pub(crate) fn as_mut_ptr(&self) -> *mut MPI_Request {
        self.all().as_ptr().cast_mut().cast()
    }

    pub(crate) fn push(&mut self, handle: MPI_Request, note: Note) {
        match self {
            Slots::Own(slots) => slots.push(Cell::new(handle)),
            Slots::Lodged(lodging) => lodging.push(handle, note),
        }
    }

    /// Forgets a handle, which was freed; those after it move up.
    pub(crate) fn remove(&mut self, i: usize) {
        match self {
            Slots::Own(slots) => drop(slots.remove(i)),
            Slots::Lodged(lodging) => lodging.remove(i),
        }
    }
}

impl Lodging<'_> {
    fn all(&self) -> &[Slot] {
        &self.chunk.slots()[..self.len]
    }

    fn push(&mut self, handle: MPI_Request, note: Note) {
        let old = self.chunk;
        if self.len == old.slots().len() {
            self.chunk = self.arena.chunk(Kind::Persistent, (2 * self.len).max(8));
            for (i, slot) in old.slots().iter().enumerate() {
                self.put(i, slot.replace(ffi::MPI_REQUEST_NULL), old.note(i));
            }
            old.share();
        }
        self.put(self.len, handle, note);
        self.len += 1;
    }

    fn remove(&mut self, i: usize) {
        for next in i + 1..self.len {
            self.put(next - 1, self.chunk.slots()[next].get(), self.chunk.note(next));
        }
        self.len -= 1;
        self.chunk.slots()[self.len].set(ffi::MPI_REQUEST_NULL);
    }

    fn put(&self, i: usize, handle: MPI_Request, note: Note) {
        self.chunk.slots()[i].set(handle);
        self.chunk.describe(i, note);
    }
}

impl Drop for Lodging<'_> {
    fn drop(&mut self) {
        if self.all().iter().all(|slot| slot.get() == ffi::MPI_REQUEST_NULL) {
            self.chunk.share();
        }
    }
}
