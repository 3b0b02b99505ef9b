//! The handles MPI may still own, and how a scope gets rid of them.

use super::keep::Kept;
use crate::environment::{report, stall_limit};
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Request, check};
use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::os::raw::c_int;
use std::time::{Duration, Instant};
use std::{ptr, slice};

pub(crate) type Slot = Cell<MPI_Request>;

/// What a slot's operation is, for the line that says why the job ended.
#[derive(Debug)]
pub(crate) struct Operation {
    pub call: &'static str,
    /// Only receives can be cancelled.
    pub receives: bool,
}
impl Operation {
    pub(crate) fn call(&'static self) -> Call {
        &self.call
    }
}

#[derive(Clone, Copy)]
struct Note {
    operation: &'static Operation,
    /// The peer and tag as MPI got them; meaningless for collectives.
    peer: c_int,
    tag: c_int,
}

/// So many requests need no allocation.
const INLINE: usize = 32;

/// More slots, at a fixed address as long as the arena lives.
struct Chunk {
    next: *mut Chunk,
    slots: Box<[Slot]>,
    notes: Box<[Cell<Option<Note>>]>,
}

/// A null handle is a free slot: completion writes it, so that completing a request costs no bookkeeping here.
pub(crate) struct Arena {
    /// Shared by operations that MPI completed at once and gave no handle for, as some libraries do for
    /// `MPI_PROC_NULL`. They must not share a reusable slot: they would complete another's operation.
    null: Slot,
    /// How many inline slots were ever used: those are initialized, with their notes.
    len: Cell<usize>,
    handles: [UnsafeCell<MaybeUninit<MPI_Request>>; INLINE],
    notes: [UnsafeCell<MaybeUninit<Note>>; INLINE],
    chunks: Cell<*mut Chunk>,
    pub(super) kept: Cell<*mut Kept>,
}

impl Arena {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Arena {
            null: Cell::new(ffi::MPI_REQUEST_NULL),
            len: Cell::new(0),
            handles: [const { UnsafeCell::new(MaybeUninit::uninit()) }; INLINE],
            notes: [const { UnsafeCell::new(MaybeUninit::uninit()) }; INLINE],
            chunks: Cell::new(ptr::null_mut()),
            kept: Cell::new(ptr::null_mut()),
        }
    }

    /// Takes over a handle that MPI has just returned.
    #[inline(always)]
    pub(super) fn put(
        &self,
        handle: MPI_Request,
        operation: &'static Operation,
        peer: c_int,
        tag: c_int,
    ) -> &Slot {
        if handle == ffi::MPI_REQUEST_NULL {
            return &self.null;
        }
        match self.len.get() {
            n @ 0..INLINE => self.put_inline(n, handle, Note { operation, peer, tag }),
            _ => self.put_slow(handle, operation, peer, tag),
        }
    }

    /// Initializes the next inline slot, number `n`.
    #[inline(always)]
    fn put_inline(&self, n: usize, handle: MPI_Request, note: Note) -> &Slot {
        self.write_note(n, note);
        // SAFETY: nobody refers to slot `n == len`: it was never used, or `put_slow` has found it free.
        unsafe { (*self.handles[n].get()).write(handle) };
        self.len.set(n + 1);
        self.slot(n)
    }

    #[inline(always)]
    fn slot(&self, i: usize) -> &Slot {
        debug_assert!(i < self.len.get());
        // SAFETY: `i < len`, so the slot is initialized; `Cell<T>` has the layout of `UnsafeCell<T>`, and
        // `MaybeUninit<T>` that of `T`.
        unsafe { &*self.handles[i].get().cast::<Slot>() }
    }

    #[inline(always)]
    fn write_note(&self, i: usize, note: Note) {
        // SAFETY: notes are only copied in and out; no reference to one exists.
        unsafe { (*self.notes[i].get()).write(note) };
    }

    fn note(&self, i: usize) -> Note {
        debug_assert!(i < self.len.get());
        // SAFETY: as in `write_note`.
        let note = unsafe { *self.notes[i].get() };
        // SAFETY: `i < len`, so it was written.
        unsafe { note.assume_init() }
    }

    /// Reuses a slot whose operation is complete, or makes more.
    #[cold]
    fn put_slow(&self, handle: MPI_Request, operation: &'static Operation, peer: c_int, tag: c_int) -> &Slot {
        let note = Note { operation, peer, tag };
        let free = |slot: &&Slot| slot.get() == ffi::MPI_REQUEST_NULL;
        // A loop that waits for what it posts leaves all slots free behind it: start over.
        let used = self.inline().iter().rposition(|slot| !free(&slot)).map_or(0, |last| last + 1);
        if used < INLINE {
            return self.put_inline(used, handle, note);
        }
        if let Some((i, slot)) = (0..INLINE).map(|i| (i, self.slot(i))).find(|(_, slot)| free(slot)) {
            self.write_note(i, note);
            slot.set(handle);
            return slot;
        }
        for chunk in self.chunks() {
            if let Some((slot, place)) = chunk.slots.iter().zip(&chunk.notes).find(|(slot, _)| free(slot)) {
                place.set(Some(note));
                slot.set(handle);
                return slot;
            }
        }
        let chunk = self.grow();
        chunk.notes[0].set(Some(note));
        chunk.slots[0].set(handle);
        &chunk.slots[0]
    }

    /// A new chunk, as large as all before it together.
    fn grow(&self) -> &Chunk {
        let size = INLINE + self.chunks().map(|chunk| chunk.slots.len()).sum::<usize>();
        let chunk = Box::into_raw(Box::new(Chunk {
            next: self.chunks.get(),
            slots: (0..size).map(|_| Cell::new(ffi::MPI_REQUEST_NULL)).collect(),
            notes: (0..size).map(|_| Cell::new(None)).collect(),
        }));
        self.chunks.set(chunk);
        // SAFETY: made a line above; chunks are freed only by `Arena::drop`.
        unsafe { &*chunk }
    }

    fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        let mut next = self.chunks.get();
        std::iter::from_fn(move || {
            // SAFETY: null, or a chunk, which is freed only by `Arena::drop`.
            let chunk = unsafe { next.as_ref() }?;
            next = chunk.next;
            Some(chunk)
        })
    }

    fn inline(&self) -> &[Slot] {
        // SAFETY: the first `len` slots are initialized and have the layout of `Slot` (see `slot`).
        unsafe { slice::from_raw_parts(self.handles.as_ptr().cast::<Slot>(), self.len.get()) }
    }

    /// Everything that MPI still owns.
    fn live(&self) -> impl Iterator<Item = (&Slot, Note)> {
        let inline = (0..self.len.get()).map(|i| (self.slot(i), Some(self.note(i))));
        let more = self.chunks().flat_map(|c| c.slots.iter().zip(c.notes.iter().map(Cell::get)));
        inline
            .chain(more)
            .filter(|(slot, _)| slot.get() != ffi::MPI_REQUEST_NULL)
            .filter_map(|(slot, note)| note.map(|note| (slot, note)))
    }

    /// Blocks until MPI owns nothing. The first error is returned after that.
    #[inline(always)]
    pub(super) fn finish(&self) -> Result<()> {
        let idle = self.inline().iter().all(|slot| slot.get() == ffi::MPI_REQUEST_NULL);
        if idle && self.chunks.get().is_null() { Ok(()) } else { self.wait_for_all() }
    }

    fn wait_for_all(&self) -> Result<()> {
        let mut result = wait_for(self.inline());
        for chunk in self.chunks() {
            result = result.and(wait_for(&chunk.slots));
        }
        if result.is_err() {
            result = result.and(self.settle());
        }
        result
    }

    /// After a failed `Waitall` some handles may still be live (`MPI_ERR_PENDING`): waits for each of them.
    #[cold]
    fn settle(&self) -> Result<()> {
        let mut result = Ok(());
        for (slot, note) in self.live() {
            // SAFETY: a valid handle in a slot of the arena.
            let code = unsafe { ffi::MPI_Wait(slot.as_ptr(), ffi::MPI_STATUS_IGNORE.cast()) };
            result = result.and(check(&"MPI_Wait", code));
            if slot.get() != ffi::MPI_REQUEST_NULL {
                end_job(note, "could not be completed");
            }
        }
        result
    }

    /// The body returned an error: its peers may never send what we receive for, nor receive what we send.
    #[cold]
    pub(super) fn finish_after_error(&self) {
        for (slot, _) in self.live().filter(|(_, note)| note.operation.receives) {
            // SAFETY: a valid handle; a receive may be cancelled, and is completed below.
            unsafe { ffi::MPI_Cancel(slot.as_ptr()) };
        }
        let (start, limit) = (Instant::now(), stall_limit());
        while let Some(note) = self.poll() {
            if start.elapsed() >= limit {
                end_job(note, &format!("is still in flight {limit:?} after its scope ended with an error"));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// The body panicked.
    #[cold]
    pub(super) fn finish_unwinding(&self) {
        if let Some(note) = self.poll() {
            end_job(note, "is in flight while its scope panics");
        }
    }

    /// Tests everything once; returns one of the operations that are still in flight.
    fn poll(&self) -> Option<Note> {
        self.live()
            .filter(|(slot, _)| {
                let mut flag = 0;
                // SAFETY: a valid handle in a slot of the arena. An error completes the operation as well, or leaves
                // its handle live, and then it is polled again.
                unsafe { ffi::MPI_Test(slot.as_ptr(), &raw mut flag, ffi::MPI_STATUS_IGNORE.cast()) };
                slot.get() != ffi::MPI_REQUEST_NULL
            })
            .last()
            .map(|(_, note)| note)
    }
}

/// Waits for all of `slots`, without limit.
fn wait_for(slots: &[Slot]) -> Result<()> {
    if slots.iter().all(|slot| slot.get() == ffi::MPI_REQUEST_NULL) {
        return Ok(());
    }
    // A chunk has as many slots as fit into memory: no `int` overflows before that.
    let n = slots.len() as c_int;
    // SAFETY: `n` valid handles; `Cell<MPI_Request>` has the layout of `MPI_Request` and may be written through.
    let code =
        unsafe { ffi::MPI_Waitall(n, slots.as_ptr().cast_mut().cast(), ffi::MPI_STATUSES_IGNORE.cast()) };
    check(&"MPI_Waitall", code)
}

/// The memory cannot be taken back from MPI, so no code may run that believes it was.
#[cold]
fn end_job(note: Note, why: &str) -> ! {
    report(format_args!("{note} {why}; ending the job"));
    ffi::abort(1)
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.operation.call)?;
        let way = match self.operation.call {
            "MPI_Irecv" | "MPI_Imrecv" => "from",
            "MPI_Isend" | "MPI_Issend" | "MPI_Ibsend" | "MPI_Irsend" => "to",
            _ => return Ok(()), // a collective has no peer
        };
        match self.peer {
            ffi::MPI_ANY_SOURCE => write!(f, " {way} any rank")?,
            peer => write!(f, " {way} rank {peer}")?,
        }
        match self.tag {
            ffi::MPI_ANY_TAG => write!(f, " with any tag"),
            tag => write!(f, " with tag {tag}"),
        }
    }
}

impl Drop for Arena {
    #[inline(always)]
    fn drop(&mut self) {
        if !(self.kept.get().is_null() && self.chunks.get().is_null()) {
            self.free();
        }
    }
}

impl Arena {
    #[cold]
    fn free(&mut self) {
        super::keep::drop_all(self.kept.get());
        let mut chunk = self.chunks.get();
        while !chunk.is_null() {
            // SAFETY: made by `Box::into_raw` in `grow`, freed once.
            chunk = unsafe { Box::from_raw(chunk) }.next;
        }
    }
}

impl std::fmt::Debug for Arena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arena").field("in_flight", &self.live().count()).finish_non_exhaustive()
    }
}
