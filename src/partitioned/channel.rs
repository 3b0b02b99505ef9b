//! What the two ends of a partitioned message have in common: a buffer in equal parts, and a persistent request.
#![allow(unsafe_code)]

use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check};
use crate::persistent::{Array, is_inactive};
use crate::scope::Slot;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::os::raw::c_int;
use std::ptr::NonNull;

/// A buffer of `parts` times `per` elements, which MPI uses while it is active. Dropping it leaks the buffer; see
/// [`retire`](Channel::retire).
pub(super) struct Channel<'c, T> {
    slot: Slot,
    /// There is no request: to or from nowhere.
    nowhere: bool,
    array: Option<Array>,
    pub per: usize,
    pub parts: usize,
    active: Cell<bool>,
    comm: PhantomData<&'c Communicator>,
    elem: PhantomData<Vec<T>>,
}

/// Elements, their number in a partition, and the request to be written: what the two `init` functions take.
pub(super) struct Init {
    pub buf: *mut std::os::raw::c_void,
    pub parts: c_int,
    pub count: ffi::MPI_Count,
    pub datatype: ffi::MPI_Datatype,
    pub request: *mut MPI_Request,
}

impl<'c, T: Datatype> Channel<'c, T> {
    /// Cuts a buffer into parts, and has the request made unless nothing will travel.
    pub(super) fn new(
        call: Call,
        buffer: Vec<T>,
        parts: usize,
        nowhere: bool,
        init: impl FnOnce(Init) -> c_int,
    ) -> Result<Self> {
        let len = buffer.len();
        let uneven = || Error::length(call, Argument::Partitions, len, parts);
        let per = len.checked_div(parts).filter(|per| per * parts == len).ok_or_else(uneven)?;
        let int = c_int::try_from(parts)
            .map_err(|_| Error::length(call, Argument::Count, parts, c_int::MAX as usize))?;
        let array = Array::row(buffer);
        let region = array.region::<T>();
        let slot = Cell::new(ffi::MPI_REQUEST_NULL);
        if !nowhere {
            let code = init(Init {
                buf: region.ptr,
                parts: int,
                count: (per * T::UNITS) as ffi::MPI_Count, // no overflow: as in `Region::contiguous`
                datatype: region.datatype.0,
                request: slot.as_ptr(),
            });
            if let Err(error) = check(call, code) {
                // SAFETY: no request was made.
                unsafe { array.free() };
                return Err(error);
            }
        }
        let (comm, elem) = (PhantomData, PhantomData);
        Ok(Channel { slot, nowhere, array: Some(array), per, parts, active: Cell::new(false), comm, elem })
    }
}

impl<T> Channel<'_, T> {
    /// Marks the buffer as MPI's, then starts.
    pub(super) fn start(&mut self) -> Result<()> {
        const START: Call = &"MPI_Start";
        live(START)?;
        self.active.set(true); // before the call
        if self.nowhere {
            return Ok(());
        }
        // SAFETY: an inactive persistent handle; MPI may use the buffer until `wait` has found it complete.
        check(START, unsafe { ffi::MPI_Start(self.slot.as_ptr()) })
    }

    pub(super) fn is_active(&self) -> bool {
        self.active.get()
    }

    /// The request, if MPI must be told of it.
    pub(super) fn request(&self) -> Option<MPI_Request> {
        (!self.nowhere).then(|| self.slot.get())
    }

    /// `MPI_Wait`. After an error the buffer is MPI's unless the request is found complete.
    pub(super) fn wait(&self) -> Result<()> {
        const WAIT: Call = &"MPI_Wait";
        live(WAIT)?;
        let ignore: *mut MPI_Status = ffi::MPI_STATUS_IGNORE.cast();
        // SAFETY: a valid handle, or null, which is complete.
        let code = unsafe { ffi::MPI_Wait(self.slot.as_ptr(), ignore) };
        self.active.set(code != ffi::MPI_SUCCESS && !is_inactive(&self.slot));
        check(WAIT, code)
    }

    /// The elements of one part.
    ///
    /// # Errors
    /// There is no such part.
    pub(super) fn part(&self, call: Call, index: usize) -> Result<NonNull<[T]>> {
        if index >= self.parts {
            return Err(Error::length(call, Argument::Partition, index, self.parts));
        }
        let base = self.array().base::<T>();
        // SAFETY: `index < parts`, so the part lies inside the buffer of `parts * per` elements.
        Ok(NonNull::slice_from_raw_parts(unsafe { base.add(index * self.per) }, self.per))
    }

    /// `Err` unless the range is one of parts.
    pub(super) fn check(&self, call: Call, range: &Range<usize>) -> Result<()> {
        if range.start > range.end {
            return Err(Error::length(call, Argument::BlockRange, range.start, range.end));
        }
        if range.end > self.parts {
            return Err(Error::length(call, Argument::Partition, range.end - 1, self.parts));
        }
        Ok(())
    }

    fn array(&self) -> &Array {
        self.array.as_ref().expect("only `retire` takes it")
    }

    /// # Safety
    /// Neither MPI nor a reference writes to the buffer for `'a`.
    pub(super) unsafe fn slice<'a>(&self) -> &'a [T] {
        // SAFETY: made of a `Vec<T>`; the rest is this function's contract.
        unsafe { self.array().slice() }
    }

    /// # Safety
    /// For `'a` neither MPI nor another reference uses the buffer.
    pub(super) unsafe fn slice_mut<'a>(&self) -> &'a mut [T] {
        // SAFETY: made of a `Vec<T>`; the rest is this function's contract.
        unsafe { self.array().slice_mut() }
    }

    /// Frees the request and gives the buffer back, unless it is MPI's: then it leaks.
    pub(super) fn retire(&mut self) -> Result<Option<Vec<T>>> {
        const FREE: Call = &"MPI_Request_free";
        if self.active.get() {
            return Ok(None);
        }
        if self.slot.get() != ffi::MPI_REQUEST_NULL && live(FREE).is_ok() {
            // SAFETY: an inactive persistent handle.
            check(FREE, unsafe { ffi::MPI_Request_free(self.slot.as_ptr()) })?;
        }
        // SAFETY: made of a `Vec<T>`; MPI does not use it, and no request will be started.
        Ok(self.array.take().map(|array| unsafe { array.into_vec() }))
    }
}

impl<T> fmt::Debug for Channel<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Channel")
            .field("partitions", &self.parts)
            .field("elements", &self.per)
            .field("active", &self.active.get())
            .finish_non_exhaustive()
    }
}
