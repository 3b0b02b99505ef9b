//! What the two ends of a partitioned message have in common: a buffer in equal parts, and a persistent request.
#![allow(unsafe_code)]

use super::ready::{EMPTY, States, states};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::environment::live;
use crate::error::{Argument, Error, Result, errors_seen};
use crate::ffi::{self, Call, MPI_Comm, MPI_Request, check};
use crate::persistent::{Array, Slots, is_inactive};
use crate::scope::{Arena, Note, Slot};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::os::raw::{c_int, c_void};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

/// A buffer of `parts` times `per` elements, which MPI uses while it is active. Dropping it leaks a buffer of its own;
/// see [`retire`](Channel::retire).
pub(super) struct Channel<'c, T> {
    /// One handle; null to or from nowhere.
    pub(super) slots: Slots<'c>,
    pub(super) states: States<'c>,
    array: Option<Array>,
    cut: Cut,
    pub(super) note: Note,
    pub(super) active: Cell<bool>,
    /// What `errors_seen` said when it was started.
    pub(super) errors: Cell<u32>,
    /// What failed after a drop in flight: the next use says so.
    pub(super) unseen: Cell<Option<Error>>,
    comm: PhantomData<&'c Communicator>,
    elem: PhantomData<Vec<T>>,
}

/// How a buffer is cut.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    per: usize,
    parts: usize,
}

impl Cut {
    pub(super) fn new(call: Call, len: usize, parts: usize) -> Result<Self> {
        let uneven = || Error::length(call, Argument::Partitions, len, parts);
        let per = len.checked_div(parts).filter(|per| per * parts == len).ok_or_else(uneven)?;
        match c_int::try_from(parts) {
            Ok(_) => Ok(Cut { per, parts }),
            Err(_) => Err(Error::length(call, Argument::Count, parts, c_int::MAX as usize)),
        }
    }
}

/// Where the request and the states of the partitions live.
pub(super) struct Home<'c>(Slots<'c>, States<'c>);

impl<'c> Home<'c> {
    /// `fills` is the number of partitions that are filled: none of a receive.
    pub(super) fn own(fills: usize) -> Self {
        Home(Slots::own(), States::Own(states(fills)))
    }

    pub(super) fn lodged(arena: &'c Arena<'c>, fills: usize) -> Self {
        let chunk = arena.partitioned(states(fills));
        Home(Slots::lodged_in(arena, chunk), States::Lodged(chunk.partitions()))
    }
}

/// What the two `init` functions take.
pub(super) struct Init {
    pub buf: *mut c_void,
    pub parts: c_int,
    pub count: ffi::MPI_Count,
    pub datatype: ffi::MPI_Datatype,
    pub peer: c_int,
    pub tag: c_int,
    pub comm: MPI_Comm,
    pub request: *mut MPI_Request,
}

impl<'c, T: Datatype> Channel<'c, T> {
    /// Has the request made unless nothing will travel. Peer and tag of the note were checked.
    ///
    /// # Safety
    /// The array is one of `T`, as long as was cut; and stays valid until the channel is retired, or if it is borrowed, as
    /// long as the arena of the home completes requests. `init` is a function of MPI that makes a partitioned request.
    pub(super) unsafe fn new(
        comm: &'c Communicator,
        note: Note,
        array: Array,
        cut: Cut,
        Home(mut slots, states): Home<'c>,
        init: unsafe fn(Init) -> c_int,
    ) -> Result<Self> {
        let region = array.region::<T>();
        slots.push(ffi::MPI_REQUEST_NULL, note);
        let mut channel = Channel {
            slots,
            states,
            array: Some(array),
            cut,
            note,
            active: Cell::new(false),
            errors: Cell::new(0),
            unseen: Cell::new(None),
            comm: PhantomData,
            elem: PhantomData,
        };
        if note.peer == ffi::MPI_PROC_NULL {
            return Ok(channel);
        }
        let arguments = Init {
            buf: region.ptr,
            parts: cut.parts as c_int,                     // checked in `Cut::new`
            count: (cut.per * T::UNITS) as ffi::MPI_Count, // no overflow: as in `Region::contiguous`
            datatype: region.datatype.0,
            peer: note.peer,
            tag: note.tag,
            comm: comm.raw(),
            request: channel.slots.as_mut_ptr(),
        };
        // SAFETY: this function's contract; the communicator is borrowed by the channel.
        if let Err(error) = check(note.operation.call(), unsafe { init(arguments) }) {
            channel.slot().set(ffi::MPI_REQUEST_NULL);
            channel.retire()?;
            return Err(error);
        }
        Ok(channel)
    }
}

impl<T> Channel<'_, T> {
    pub(super) fn slot(&self) -> &Slot {
        &self.slots.all()[0]
    }

    /// Marks the buffer as MPI's, then starts.
    pub(super) fn start(&mut self) -> Result<()> {
        const START: Call = &"MPI_Start";
        live(START)?;
        self.states.iter().for_each(|state| state.store(EMPTY, Ordering::Relaxed));
        self.errors.set(errors_seen());
        self.active.set(true); // before the call
        if self.request().is_none() {
            return Ok(());
        }
        // SAFETY: an inactive persistent handle; MPI may use the buffer until `wait` has found it complete.
        let started = check(START, unsafe { ffi::MPI_Start(self.slots.as_mut_ptr()) });
        if started.is_err() {
            self.active.set(!is_inactive(self.slot()));
        }
        started
    }

    pub(super) fn call(&self) -> &'static str {
        self.note.operation.call
    }

    /// The request, if MPI must be told of it.
    pub(super) fn request(&self) -> Option<MPI_Request> {
        Some(self.slot().get()).filter(|&request| request != ffi::MPI_REQUEST_NULL)
    }

    pub(super) fn parts(&self) -> usize {
        self.cut.parts
    }

    pub(super) fn states(&self) -> &[AtomicU8] {
        &self.states
    }

    /// The elements of one part.
    ///
    /// # Errors
    /// There is no such part.
    pub(super) fn part(&self, call: Call, index: usize) -> Result<NonNull<[T]>> {
        let Cut { per, parts } = self.cut;
        if index >= parts {
            return Err(Error::length(call, Argument::Partition, index, parts));
        }
        let base = self.array().base::<T>();
        // SAFETY: `index < parts`, so the part lies inside the buffer of `parts * per` elements.
        Ok(NonNull::slice_from_raw_parts(unsafe { base.add(index * per) }, per))
    }

    /// `Err` unless the range is one of parts.
    pub(super) fn check(&self, call: Call, range: &Range<usize>) -> Result<()> {
        if range.start > range.end {
            return Err(Error::length(call, Argument::BlockRange, range.start, range.end));
        }
        if range.end > self.cut.parts {
            return Err(Error::length(call, Argument::Partition, range.end - 1, self.cut.parts));
        }
        Ok(())
    }

    fn array(&self) -> &Array {
        self.array.as_ref().expect("only `take` takes it")
    }

    /// # Safety
    /// Neither MPI nor a reference writes to the buffer for `'a`.
    pub(super) unsafe fn slice<'a>(&self) -> &'a [T] {
        // SAFETY: an array of `T` (`new`); the rest is this function's contract.
        unsafe { self.array().slice() }
    }

    /// # Safety
    /// For `'a` neither MPI nor another reference uses the buffer.
    pub(super) unsafe fn slice_mut<'a>(&self) -> &'a mut [T] {
        // SAFETY: an array of `T` (`new`); the rest is this function's contract.
        unsafe { self.array().slice_mut() }
    }

    /// Frees the request and gives the buffer away, which MPI does not use any more.
    ///
    /// # Errors
    /// What MPI reports. The buffer stays here.
    ///
    /// # Panics
    /// If it is active.
    pub(super) fn take(&mut self) -> Result<Option<Array>> {
        const FREE: Call = &"MPI_Request_free";
        assert!(!self.active.get(), "MPI may use the buffer");
        if self.request().is_some() && live(FREE).is_ok() {
            // SAFETY: an inactive persistent handle.
            check(FREE, unsafe { ffi::MPI_Request_free(self.slots.as_mut_ptr()) })?;
        }
        Ok(self.array.take())
    }

    /// Frees request and buffer, if there still is one, unless MPI uses it.
    pub(super) fn retire(&mut self) -> Result<()> {
        if self.active.get() {
            return Ok(());
        }
        if let Some(array) = self.take()? {
            // SAFETY: MPI does not use it (`take`).
            unsafe { array.free() };
        }
        Ok(())
    }
}

impl<T> fmt::Debug for Channel<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Channel")
            .field("partitions", &self.cut.parts)
            .field("elements", &self.cut.per)
            .field("active", &self.active.get())
            .finish_non_exhaustive()
    }
}
