//! Places for handles on the heap, at a fixed address as long as the arena lives.

use super::note::Note;
use crate::ffi::{self, MPI_Request};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU8;

/// A place for a handle. Null is free: completion writes it, so that completing a request costs no bookkeeping.
pub(crate) type Slot = Cell<MPI_Request>;

/// The address of a slot. It may be stepped from to the slots next to it, which a `&Slot` may not.
#[derive(Clone, Copy)]
pub(crate) struct Place<'s>(NonNull<MPI_Request>, PhantomData<&'s Slot>);

impl<'s> Place<'s> {
    /// # Safety
    /// A slot of an arena that lives for `'s`, or longer; the pointer may be used for all slots of its array.
    #[inline(always)]
    pub(super) unsafe fn new(slot: NonNull<MPI_Request>) -> Self {
        Place(slot, PhantomData)
    }
    /// With the leave that `new` was given.
    #[inline(always)]
    pub(super) fn as_non_null(self) -> NonNull<MPI_Request> {
        self.0
    }
    #[inline(always)]
    pub(crate) fn as_ptr(self) -> *mut MPI_Request {
        self.0.as_ptr()
    }
    #[inline(always)]
    pub(crate) fn slot(self) -> &'s Slot {
        // SAFETY: lives for `'s` (`new`), and is only ever referred to as a `Cell`, which has the same layout.
        unsafe { self.0.cast::<Slot>().as_ref() }
    }
    #[inline(always)]
    pub(crate) fn get(self) -> MPI_Request {
        self.slot().get()
    }
}

/// What the slots of a chunk are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Any request that needs a place.
    Shared,
    /// The requests of one set: nobody else takes a free slot.
    Requests,
    /// Persistent requests of one owner. At the end of the scope they are completed and freed; a null handle is one
    /// that was never made, or is freed.
    Persistent,
}

/// Slots one after the other, with their notes.
pub(crate) struct Chunk {
    pub(super) next: *mut Chunk,
    kind: Cell<Kind>,
    /// One more than is ever given out, so that the slots of two chunks never follow one another.
    slots: Box<[Slot]>,
    notes: Box<[Cell<Note>]>,
    /// Of a partitioned send, which has the one slot: which partitions MPI was told of.
    partitions: Box<[AtomicU8]>,
}

impl Chunk {
    pub(super) fn new(next: *mut Chunk, kind: Kind, n: usize) -> Self {
        Chunk {
            next,
            kind: Cell::new(kind),
            slots: (0..=n).map(|_| Cell::new(ffi::MPI_REQUEST_NULL)).collect(),
            notes: vec![Cell::new(Note::UNKNOWN); n].into(),
            partitions: Box::new([]),
        }
    }

    pub(super) fn partitioned(next: *mut Chunk, partitions: Box<[AtomicU8]>) -> Self {
        Chunk { partitions, ..Chunk::new(next, Kind::Persistent, 1) }
    }

    pub(crate) fn partitions(&self) -> &[AtomicU8] {
        &self.partitions
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind.get()
    }

    /// Gives the slots to whoever needs one. What is in flight in them stays there.
    pub(crate) fn share(&self) {
        self.kind.set(Kind::Shared);
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots[..self.notes.len()]
    }

    pub(super) fn place(&self, i: usize) -> Place<'_> {
        let slot = NonNull::from(self.slots()).cast::<MPI_Request>();
        // SAFETY: in bounds, for the index below is checked.
        let slot = unsafe { slot.add(self.checked(i)) };
        // SAFETY: a slot of this chunk, which lives as long as `&self`; made from the whole array.
        unsafe { Place::new(slot) }
    }

    fn checked(&self, i: usize) -> usize {
        assert!(i < self.notes.len(), "a slot of this chunk");
        i
    }

    /// Says what the operation in slot `i` is.
    pub(crate) fn describe(&self, i: usize, note: Note) {
        self.notes[i].set(note);
    }

    pub(crate) fn note(&self, i: usize) -> Note {
        self.notes[i].get()
    }

    pub(super) fn live(&self) -> impl Iterator<Item = (Place<'_>, Note)> {
        (0..self.notes.len())
            .filter(|&i| self.slots[i].get() != ffi::MPI_REQUEST_NULL)
            .map(|i| (self.place(i), self.note(i)))
    }
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk").field("kind", &self.kind()).field("slots", &self.notes.len()).finish()
    }
}
