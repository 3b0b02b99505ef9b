//! The end of a generalized request that works.
#![allow(unsafe_code)]

use super::control::{COMPLETE, Control, Report, complete};
use super::delivery::{Value, exchange};
use crate::datatype::Datatype;
use crate::environment::{ThreadLevel, enter, level};
use crate::error::{Argument, Error, Result, Returned, State};
use crate::ffi::{Call, MPI_Count, MPI_Request};
use crate::p2p::{Source, Tag};
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::c_int;
use std::sync::Arc;

/// Completes a generalized request, made by [`grequest_start`](crate::Communicator::grequest_start).
///
/// Dropping it completes the request as cancelled. It stays on its thread, unless it was made
/// [`Anywhere`](Completer::anywhere), since completing calls MPI.
#[must_use = "dropping it completes the request as cancelled"]
pub struct Completer<T, Th = Here> {
    request: MPI_Request,
    control: Arc<Control>,
    value: Value<T>,
    report: Report,
    /// `MPI_Request` is an `int` with one library and a pointer with another.
    _thread: PhantomData<(*const (), Th)>,
}

/// A [`Completer`] that stays on its thread.
#[derive(Debug)]
pub enum Here {}
/// A [`Completer`] that may go to other threads.
#[derive(Debug)]
pub enum Anywhere {}

// SAFETY: it calls MPI where all threads may (`anywhere` has seen the level), and only through `enter`; the value goes to
// the thread of the request, or from it when both ends are gone; the control and the handle are names and atomics.
unsafe impl<T: Send> Send for Completer<T, Anywhere> {}

impl<T> Completer<T, Here> {
    pub(super) fn new(request: MPI_Request, control: Arc<Control>, value: Value<T>) -> Self {
        Completer { request, control, value, report: Report::nothing(), _thread: PhantomData }
    }

    /// The same completer, which other threads can use as well.
    ///
    /// # Errors
    /// MPI may not be called from several threads: the [level](crate::environment::thread_level) is not
    /// `MPI_THREAD_MULTIPLE`. The completer comes back.
    ///
    /// ```no_run
    /// # let world = mpi::Builder::new().threads(mpi::ThreadLevel::Multiple).init()?;
    /// let (sum, completer) = world.grequest_start::<u64>()?;
    /// let completer = completer.anywhere()?;
    /// std::thread::spawn(move || completer.complete((1..1_000_000).sum()).is_ok());
    /// println!("{:?}", sum.wait()?.data); // waits in MPI, so messages move on
    /// # Ok::<(), mpi::Error>(())
    /// ```
    pub fn anywhere(self) -> Result<Completer<T, Anywhere>, Returned<Self>>
    where
        T: Send,
    {
        if level() != ThreadLevel::Multiple {
            return Err(Returned { error: Error::state(COMPLETE, State::OtherThread), data: self });
        }
        let (request, report) = (self.request, self.report);
        let (control, value) = self.into_parts();
        Ok(Completer { request, control, value, report, _thread: PhantomData })
    }
}

impl<T, Th> Completer<T, Th> {
    /// Completes the request, which gives `value` back.
    ///
    /// `MPI_Grequest_complete` (MPI 4.1 §13.2). Does not wait.
    ///
    /// # Errors
    /// Nobody waits: the request was dropped; MPI has ended; or what MPI reports. The value comes back.
    #[doc(alias = "MPI_Grequest_complete")]
    pub fn complete(self, value: T) -> Result<(), Returned<T>> {
        let (request, report) = (self.request, self.report);
        // What is dropped at the end may be the user's, and may enter MPI: so not while it is entered here.
        let (control, place) = self.into_parts();
        let completed = {
            let entered = match enter(COMPLETE) {
                Ok(entered) => entered,
                Err(error) => return Err(Returned { error, data: value }),
            };
            if !control.claim() {
                drop(entered);
                return Err(Returned { error: Error::state(COMPLETE, State::Abandoned), data: value });
            }
            exchange(&place, Some(value));
            control.report(report);
            // SAFETY: claimed just now, so it is not complete, and nobody else completes it; entered above.
            unsafe { complete(request) }
        };
        match completed.map_err(|error| (error, exchange(&place, None))) {
            Err((error, Some(data))) => Err(Returned { error, data }),
            // Without the value: the request was completed all the same, and has given it out.
            _ => Ok(()),
        }
    }

    /// Completes the request as cancelled, as dropping the completer does.
    pub fn cancel(self) {}

    /// Whether the request's owner has asked for cancellation
    /// ([`Pending::cancel`](super::PendingGeneralized::cancel)). The completer may complete all the same.
    pub fn is_cancel_wanted(&self) -> bool {
        self.control.is_cancel_wanted()
    }

    /// Whether the request was dropped, so that nobody waits.
    pub fn is_abandoned(&self) -> bool {
        self.control.is_abandoned()
    }

    /// What the status will name as the source; none, unless this is called.
    ///
    /// `MPI_Status_set_source` (MPI 4.1 §13.3), by hand.
    ///
    /// # Errors
    /// The source is more than any rank.
    #[doc(alias = "MPI_Status_set_source")]
    pub fn set_source(&mut self, source: impl Into<Source>) -> Result<()> {
        self.report.source = source.into().raw(&"MPI_Status_set_source", c_int::MAX)?;
        Ok(())
    }

    /// What the status will name as the tag; `MPI_ANY_TAG`, unless this is called.
    ///
    /// `MPI_Status_set_tag` (MPI 4.1 §13.3), by hand.
    ///
    /// # Errors
    /// The tag is out of range, or MPI has ended.
    #[doc(alias = "MPI_Status_set_tag")]
    pub fn set_tag(&mut self, tag: impl Into<Tag>) -> Result<()> {
        self.report.tag = tag.into().raw(&"MPI_Status_set_tag")?;
        Ok(())
    }

    /// How many elements the status will count; none, unless this is called. To be asked for with the same `E`, by
    /// [`Status::count`](crate::Status::count) or [`Status::elements`](crate::Status::elements).
    ///
    /// `MPI_Status_set_elements_x` (MPI 4.1 §13.3), when MPI asks for the status.
    ///
    /// # Errors
    /// More elements than memory holds; or of a struct that is sent by a struct type, no whole number of values.
    #[doc(alias("MPI_Status_set_elements", "MPI_Status_set_elements_x"))]
    pub fn set_elements<E: Datatype>(&mut self, n: usize) -> Result<()> {
        /// Libraries multiply by the size of the type, and keep a few bits of the product for themselves.
        const MOST: usize = (isize::MAX / 4) as usize;
        const CALL: Call = &"MPI_Status_set_elements_x";
        let most = MOST / size_of::<E>().max(1);
        let count = MPI_Count::try_from(n).ok().filter(|_| n <= most);
        let too_many = || Error::length(CALL, Argument::Count, n, most);
        let count = count.ok_or_else(too_many)?;
        (self.report.count, self.report.datatype) = match E::PARTS.value_bytes() {
            None => (count, E::unit().0),
            // Libraries take a count of a struct type for one of whole values, the standard does not: bytes are bytes.
            Some(bytes) if n.is_multiple_of(E::PARTS.elements) => {
                ((n / E::PARTS.elements * bytes) as MPI_Count, u8::unit().0)
            }
            Some(_) => return Err(Error::length(CALL, Argument::Count, n, E::PARTS.elements)),
        };
        Ok(())
    }

    /// Both shared places, without completing anything.
    fn into_parts(self) -> (Arc<Control>, Value<T>) {
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: moved out once: `this` is not dropped, and not used again.
        let control = unsafe { std::ptr::read(&raw const this.control) };
        // SAFETY: as above.
        (control, unsafe { std::ptr::read(&raw const this.value) })
    }
}

impl<T, Th> Drop for Completer<T, Th> {
    fn drop(&mut self) {
        // Also while a panic unwinds: completing waits for nobody. After a host's finalize nobody waits any more.
        let Ok(_entered) = enter(COMPLETE) else { return };
        if self.control.claim() {
            // SAFETY: as in `complete`. An error has nobody to go to.
            let code = unsafe { complete(self.request) };
            if let Err(error) = code {
                crate::environment::report(format_args!("a generalized request stays in flight: {error}"));
            }
        }
    }
}

impl<T, Th> fmt::Debug for Completer<T, Th> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Completer").field("control", &self.control).finish_non_exhaustive()
    }
}
