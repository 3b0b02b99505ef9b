//! The handles MPI may still own.

use super::chunk::{Chunk, Kind, Place, Slot};
use super::keep::Kept;
use super::note::{Note, Operation};
use crate::error::Result;
use crate::ffi::{self, MPI_Request};
use std::cell::{Cell, UnsafeCell};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::raw::c_int;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::atomic::AtomicU8;

/// So many requests need no allocation. Few where each operation is interpreted, and tests want more than these.
pub(crate) const INLINE: usize = if cfg!(miri) { 4 } else { 32 };

/// A null handle is a free slot: completion writes it, so that completing a request costs no bookkeeping here.
///
/// What MPI sees is in [`Inline`]. The arena itself is small, and nothing that a scope usually does takes its address:
/// so the compiler keeps it in registers, and knows the slot of each request. Rare paths work on a copy.
pub(crate) struct Arena<'a> {
    /// How many inline slots were ever used: those are initialized, with their notes.
    len: Cell<usize>,
    /// What does not fit into `inline`; null if nothing is there, so that a scope without has one pointer to look at.
    more: Cell<*mut More>,
    inline: &'a Inline,
}

/// The first slots of an arena, in the frame of its scope.
pub(super) struct Inline {
    handles: Column<MPI_Request>,
    /// What they are, in two arrays: an index times 8 costs no instruction, times 16 it does.
    operations: Column<&'static Operation>,
    ends: Column<(c_int, c_int)>,
    /// Shared by operations that MPI completed at once and gave no handle for, as some libraries do for
    /// `MPI_PROC_NULL`. They must not share a reusable slot: they would complete another's operation.
    /// Written before it is given out.
    null: UnsafeCell<MaybeUninit<MPI_Request>>,
}

impl Inline {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Inline {
            handles: Column::new(),
            operations: Column::new(),
            ends: Column::new(),
            null: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }
}

/// One value for each inline slot; those of slots never used are not initialized.
struct Column<T>([UnsafeCell<MaybeUninit<T>>; INLINE]);

impl<T: Copy> Column<T> {
    #[inline(always)]
    fn new() -> Self {
        Column([const { UnsafeCell::new(MaybeUninit::uninit()) }; INLINE])
    }
    #[inline(always)]
    fn put(&self, i: usize, value: T) {
        // SAFETY: values are only copied in and out here; no reference to one exists.
        unsafe { (*self.0[i].get()).write(value) };
    }
    /// # Safety
    /// `put` was called for `i`.
    unsafe fn get(&self, i: usize) -> T {
        // SAFETY: as in `put`.
        let value = unsafe { *self.0[i].get() };
        // SAFETY: this function's contract.
        unsafe { value.assume_init() }
    }
}

/// What a scope has on the heap.
struct More {
    chunks: Cell<*mut Chunk>,
    kept: Cell<*mut Kept>,
}

impl<'a> Arena<'a> {
    #[inline(always)]
    pub(super) fn new(inline: &'a Inline) -> Self {
        Arena { len: Cell::new(0), more: Cell::new(ptr::null_mut()), inline }
    }

    /// Lets MPI write a new handle, to the place where it stays if there is one.
    #[inline(always)]
    pub(super) fn post(
        &self,
        operation: &'static Operation,
        (peer, tag): (c_int, c_int),
        post: impl FnOnce(*mut MPI_Request) -> Result<()>,
    ) -> Result<Place<'_>> {
        let n = self.len.get();
        if n >= INLINE {
            return self.post_by_copy(operation, (peer, tag), post);
        }
        let out = self.inline_ptr(n).as_ptr();
        // SAFETY: slot `n == len`, which nobody refers to: it was never used, or `put` has found it free.
        unsafe { out.write(ffi::MPI_REQUEST_NULL) };
        post(out)?;
        self.write_note(n, Note { operation, peer, tag });
        // Also if there is no handle, and the slot stays free: so that the slot of what comes next depends on nothing.
        self.len.set(n + 1);
        let place = self.inline_place(n);
        Ok(if place.get() == ffi::MPI_REQUEST_NULL { self.null() } else { place })
    }

    /// The same when all inline slots were used.
    #[inline(always)]
    fn post_by_copy(
        &self,
        operation: &'static Operation,
        to: (c_int, c_int),
        post: impl FnOnce(*mut MPI_Request) -> Result<()>,
    ) -> Result<Place<'_>> {
        // Not dropped: what it refers to stays ours. Nothing panics before we know of it again.
        let copy =
            ManuallyDrop::new(Arena { len: self.len.clone(), more: self.more.clone(), inline: self.inline });
        let place = copy.post_elsewhere(operation, to, post).map(Place::as_non_null);
        self.len.set(copy.len.get());
        self.more.set(copy.more.get());
        // SAFETY: a slot of the copy, which is ours now: inline, or in a chunk that is freed when `self` drops.
        place.map(|slot| unsafe { Place::new(slot) })
    }

    #[cold]
    #[inline(never)]
    fn post_elsewhere(
        &self,
        operation: &'static Operation,
        (peer, tag): (c_int, c_int),
        post: impl FnOnce(*mut MPI_Request) -> Result<()>,
    ) -> Result<Place<'_>> {
        let mut handle = ffi::MPI_REQUEST_NULL;
        post(&raw mut handle)?;
        if handle == ffi::MPI_REQUEST_NULL {
            return Ok(self.null());
        }
        Ok(self.put(handle, Note { operation, peer, tag }))
    }

    /// The place of operations without a handle.
    #[cold]
    fn null(&self) -> Place<'_> {
        let slot = NonNull::from(&self.inline.null).cast::<MPI_Request>();
        // SAFETY: ours; others refer to it as a `Cell`, in which null is all there ever is.
        unsafe { slot.write(ffi::MPI_REQUEST_NULL) };
        // SAFETY: initialized, and lives as long as `&self`; it is an array of one.
        unsafe { Place::new(slot) }
    }

    /// The pointer may be used for all inline slots.
    #[inline(always)]
    fn inline_ptr(&self, i: usize) -> NonNull<MPI_Request> {
        debug_assert!(i < INLINE);
        let base = NonNull::from(&self.inline.handles.0).cast::<MPI_Request>();
        // SAFETY: in bounds: every caller gives `i < INLINE`. `MaybeUninit<T>` has the layout of `T`.
        unsafe { base.add(i) }
    }

    /// `i < len`.
    #[inline(always)]
    fn inline_place(&self, i: usize) -> Place<'_> {
        debug_assert!(i < self.len.get());
        // SAFETY: initialized, since `i < len`; it lives as long as `&self`.
        unsafe { Place::new(self.inline_ptr(i)) }
    }

    #[inline(always)]
    fn write_note(&self, i: usize, Note { operation, peer, tag }: Note) {
        self.inline.operations.put(i, operation);
        self.inline.ends.put(i, (peer, tag));
    }

    /// `i < len`.
    fn inline_note(&self, i: usize) -> Note {
        debug_assert!(i < self.len.get());
        // SAFETY: `i < len`, so it was written.
        let operation = unsafe { self.inline.operations.get(i) };
        // SAFETY: as above.
        let (peer, tag) = unsafe { self.inline.ends.get(i) };
        Note { operation, peer, tag }
    }

    /// Takes over a handle when all inline slots were used: reuses a slot whose operation is complete, or makes more.
    #[cold]
    fn put(&self, handle: MPI_Request, note: Note) -> Place<'_> {
        let free = |slot: &Slot| slot.get() == ffi::MPI_REQUEST_NULL;
        // A loop that waits for what it posts leaves all slots free behind it: start over.
        let used = self.inline().iter().rposition(|slot| !free(slot)).map_or(0, |last| last + 1);
        if used < INLINE {
            self.len.set(used);
        }
        let (i, len) = (self.inline().iter().position(free), self.len.get());
        if let Some(i) = i.or((len < INLINE).then_some(len)) {
            self.write_note(i, note);
            // SAFETY: a slot that nobody refers to as in use, or slot `len`, to which nobody refers.
            unsafe { self.inline_ptr(i).write(handle) };
            self.len.set(len.max(i + 1));
            return self.inline_place(i);
        }
        let shared = self.chunks().filter(|chunk| chunk.kind() == Kind::Shared);
        let vacant = shared.filter_map(|chunk| Some((chunk, chunk.slots().iter().position(free)?))).next();
        let (chunk, i) = vacant.unwrap_or_else(|| {
            // As large as all before it together.
            let size = INLINE + self.chunks().map(|chunk| chunk.slots().len()).sum::<usize>();
            (self.chunk(Kind::Shared, size), 0)
        });
        chunk.slots()[i].set(handle);
        chunk.describe(i, note);
        chunk.place(i)
    }

    /// `n` slots one after the other, null, for one owner.
    pub(crate) fn chunk(&self, kind: Kind, n: usize) -> &Chunk {
        self.add(|next| Chunk::new(next, kind, n))
    }

    /// A slot for a partitioned message of which these are the states.
    pub(crate) fn partitioned(&self, states: Box<[AtomicU8]>) -> &Chunk {
        self.add(|next| Chunk::partitioned(next, states))
    }

    fn add(&self, chunk: impl FnOnce(*mut Chunk) -> Chunk) -> &Chunk {
        let chunks = &self.more().chunks;
        let chunk = Box::into_raw(Box::new(chunk(chunks.get())));
        chunks.set(chunk);
        // SAFETY: made a line above; chunks are freed only by `Arena::drop`.
        unsafe { &*chunk }
    }

    /// The list of kept values.
    pub(super) fn kept(&self) -> &Cell<*mut Kept> {
        &self.more().kept
    }

    fn more(&self) -> &More {
        if self.more.get().is_null() {
            let empty = More { chunks: Cell::new(ptr::null_mut()), kept: Cell::new(ptr::null_mut()) };
            self.more.set(Box::into_raw(Box::new(empty)));
        }
        // SAFETY: made a line above, or before; freed only by `Arena::drop`.
        unsafe { &*self.more.get() }
    }

    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        // SAFETY: null, or made by `more`; freed only by `Arena::drop`.
        let more = unsafe { self.more.get().as_ref() };
        let mut next = more.map_or(ptr::null_mut(), |more| more.chunks.get());
        std::iter::from_fn(move || {
            // SAFETY: null, or a chunk, which is freed only by `Arena::drop`.
            let chunk = unsafe { next.as_ref() }?;
            next = chunk.next;
            Some(chunk)
        })
    }

    #[inline(always)]
    pub(super) fn inline(&self) -> &[Slot] {
        let base = NonNull::from(&self.inline.handles.0).cast::<Slot>();
        // SAFETY: the first `len` slots are initialized; `Cell<T>` has the layout of `UnsafeCell<T>`, and
        // `MaybeUninit<T>` that of `T`.
        unsafe { slice::from_raw_parts(base.as_ptr(), self.len.get()) }
    }

    /// Everything that MPI still owns, and persistent requests that nobody has freed.
    pub(super) fn live(&self) -> impl Iterator<Item = (Kind, Place<'_>, Note)> {
        let inline = (0..self.len.get())
            .filter(|&i| self.inline()[i].get() != ffi::MPI_REQUEST_NULL)
            .map(|i| (Kind::Shared, self.inline_place(i), self.inline_note(i)));
        let more =
            self.chunks().flat_map(|chunk| chunk.live().map(|(place, note)| (chunk.kind(), place, note)));
        inline.chain(more)
    }

    /// What the operation at `place` is; unknown if the place is another scope's.
    pub(crate) fn note(&self, place: Place<'_>) -> Note {
        if let Some(i) = index_of(self.inline(), place) {
            return self.inline_note(i);
        }
        let found = self.chunks().find_map(|chunk| Some(chunk.note(index_of(chunk.slots(), place)?)));
        found.unwrap_or(Note::UNKNOWN)
    }

    /// Whether nothing but free inline slots is left behind: then there is nothing to finish, and nothing to free.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        let mut n = self.len.get();
        while n > 0 {
            n -= 1;
            if self.inline_place(n).get() != ffi::MPI_REQUEST_NULL {
                return false;
            }
        }
        self.more.get().is_null()
    }
}

/// Which of `slots` is at `place`, if one is.
fn index_of(slots: &[Slot], place: Place<'_>) -> Option<usize> {
    let bytes = place.as_ptr().addr().wrapping_sub(slots.as_ptr().addr());
    let i = bytes / size_of::<Slot>();
    (i < slots.len()).then_some(i)
}

impl Drop for Arena<'_> {
    #[cold]
    fn drop(&mut self) {
        if self.more.get().is_null() {
            return;
        }
        // SAFETY: made by `Box::into_raw` in `more`, freed once.
        let more = unsafe { Box::from_raw(self.more.get()) };
        super::keep::drop_all(more.kept.get());
        let mut chunk = more.chunks.get();
        while !chunk.is_null() {
            // SAFETY: made by `Box::into_raw` in `chunk`, freed once.
            chunk = unsafe { Box::from_raw(chunk) }.next;
        }
    }
}

impl std::fmt::Debug for Arena<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arena").field("in_flight", &self.live().count()).finish_non_exhaustive()
    }
}
