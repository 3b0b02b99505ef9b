//! What is known of a message: where it came from, its tag, its length.
//!
//! Standard: MPI 4.1, section 3.2.5 "Return Status".
#![allow(unsafe_code)]

use crate::datatype::{Datatype, RawDatatype};
use crate::environment::live;
use crate::ffi::{self, MPI_Status};
use crate::p2p::Tag;
use std::fmt;
use std::marker::PhantomData;

/// Where a received message came from and how long it was.
///
/// Asking for the length asks MPI, so a status stays on the thread of its communicator.
#[derive(Clone, Copy)]
#[doc(alias = "MPI_Status")]
pub struct Status {
    raw: MPI_Status,
    _thread: PhantomData<*const ()>,
}

impl Status {
    #[inline]
    pub(crate) fn from_raw(raw: MPI_Status) -> Self {
        Status { raw, _thread: PhantomData }
    }

    /// A status for MPI to write, and where nothing was written what it says of an empty message.
    #[inline]
    pub(crate) fn empty() -> MPI_Status {
        // SAFETY: `MPI_Status` is a struct of integers in every ABI.
        unsafe { std::mem::zeroed() }
    }

    /// What MPI says of a null request: no source, no tag, nothing (MPI 4.1 §3.7.3). Without asking it: it may have ended.
    pub(crate) fn nothing() -> MPI_Status {
        let mut status = Self::empty();
        (status.MPI_SOURCE, status.MPI_TAG) = (ffi::MPI_ANY_SOURCE, ffi::MPI_ANY_TAG);
        status
    }

    /// The rank that sent the message; `None` if it was received from nowhere (`MPI_PROC_NULL`).
    #[doc(alias = "MPI_SOURCE")]
    pub fn source(&self) -> Option<usize> {
        usize::try_from(self.raw.MPI_SOURCE).ok()
    }

    /// The tag of the message. For a message from nowhere it means nothing (it is `MPI_ANY_TAG`).
    #[doc(alias = "MPI_TAG")]
    pub fn tag(&self) -> Tag {
        Tag::from(self.raw.MPI_TAG)
    }

    /// How many values of type `T` the message brought (`MPI_Get_count`); `None` if it did not bring whole ones,
    /// or if MPI has ended.
    ///
    /// For a `T` without bytes, such as `[u8; 0]`, the answer is `Some(0)` for an empty message, else `None`.
    #[doc(alias = "MPI_Get_count")]
    pub fn count<T: Datatype>(&self) -> Option<usize> {
        live(&"MPI_Get_count").ok()?;
        let elements = self.parts::<T>()?;
        match T::PARTS.elements {
            0 => (elements == 0).then_some(0),
            per_value => elements.is_multiple_of(per_value).then(|| elements / per_value),
        }
    }

    /// How many elements of MPI's own types arrived (`MPI_Get_elements`), whole values of `T` or not: 4 for 4 numbers
    /// asked for as `[f64; 3]`, of which [`count`](Status::count) is `None`. `None` if bytes are left over even so, or if
    /// MPI has ended.
    ///
    /// MPI 4.1 §5.1.11. A `T` that is sent as bytes, such as `i128`, has as many elements as bytes.
    #[doc(alias("MPI_Get_elements", "MPI_Get_elements_x"))]
    pub fn elements<T: Datatype>(&self) -> Option<usize> {
        live(&"MPI_Get_elements").ok()?;
        if T::UNITS == 0 { self.count::<T>() } else { self.parts::<T>() }
    }

    /// Whether the receive was cancelled (`MPI_Test_cancelled`, MPI 4.1 §3.8.4); then nothing else in the status means
    /// anything. False if MPI has ended.
    #[doc(alias = "MPI_Test_cancelled")]
    pub fn is_cancelled(&self) -> bool {
        if live(&"MPI_Test_cancelled").is_err() {
            return false;
        }
        let mut flag = 0;
        // SAFETY: a status that MPI has written, or zeroes; the out-argument is ours; MPI is live.
        let code = unsafe { ffi::MPI_Test_cancelled(&raw const self.raw, &raw mut flag) };
        code == ffi::MPI_SUCCESS && flag != 0
    }

    /// How many values of type `T` arrived whole, whatever follows them. MPI is live.
    pub(crate) fn whole<T: Datatype>(&self) -> usize {
        match T::PARTS.elements {
            0 => 0,
            per_value => self.parts::<T>().unwrap_or(0) / per_value,
        }
    }

    /// How many predefined elements arrived, of those that values of `T` are made of.
    #[inline]
    fn parts<T: Datatype>(&self) -> Option<usize> {
        let RawDatatype(datatype) = T::unit();
        let mut count = 0;
        // SAFETY: a status that MPI has written, or zeroes; a committed type; MPI is live.
        let code = unsafe { ffi::MPI_Get_count(&raw const self.raw, datatype, &raw mut count) };
        if code == ffi::MPI_SUCCESS && count >= 0 {
            // Units, each of as many elements; no message has more than there are numbers.
            return (count as usize).checked_mul(T::PARTS.elements.checked_div(T::UNITS).unwrap_or(1));
        }
        match T::PARTS.value_bytes() {
            // Of a unit that is not whole nobody knows what it is made of, if the type is hand-written.
            _ if !T::PARTS.is_known => None,
            None => self.many(datatype),
            // What MPI takes such a struct for depends on the library (`Slot`).
            Some(_) => T::PARTS.elements_in(self.many(ffi::MPI_BYTE)?),
        }
    }

    /// How many elements arrived where an `int` cannot hold the answer, or a unit is not whole.
    #[cold]
    fn many(&self, datatype: ffi::MPI_Datatype) -> Option<usize> {
        let mut count = 0;
        // SAFETY: as in `parts`.
        let code = unsafe { ffi::MPI_Get_elements_x(&raw const self.raw, datatype, &raw mut count) };
        if code != ffi::MPI_SUCCESS { None } else { usize::try_from(count).ok() }
    }

    pub(crate) fn error_code(raw: &MPI_Status) -> std::os::raw::c_int {
        raw.MPI_ERROR
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Status")
            .field("source", &self.source())
            .field("tag", &self.tag().get())
            .finish_non_exhaustive()
    }
}
