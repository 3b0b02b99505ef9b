//! The end of a generalized request that waits.
#![allow(unsafe_code)]

use super::completer::{Completer, Here};
use super::control::{Control, START, complete};
use crate::comm::Communicator;
use crate::error::Result;
use crate::ffi::{MPI_Request, MPI_Status};
use crate::p2p::Received;
use crate::request::way::sealed::Sealed;
use crate::request::{HasStatus, Pending, Way};
use crate::scope::Operation;
use crate::status::Status;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

const OPERATION: &Operation = &Operation { call: "MPI_Grequest_start", receives: false };

/// A generalized request in flight: gives back the value of its [`Completer`], or `None` if it was cancelled, and the
/// status.
pub type PendingGeneralized<T> = Pending<Delivery<T>, Generalized>;

/// The way of a generalized request.
#[derive(Debug)]
pub enum Generalized {}
impl Sealed for Generalized {}
impl HasStatus for Generalized {}

/// What a generalized request owns: its side of the place where the value is put.
pub struct Delivery<T> {
    control: Arc<Control>,
    value: Value<T>,
    on_cancel: Option<Box<dyn Fn()>>,
}

/// Where the value is put.
pub(super) type Value<T> = Arc<Mutex<Option<T>>>;

/// Puts a value there, or takes it.
pub(super) fn exchange<T>(place: &Value<T>, value: Option<T>) -> Option<T> {
    std::mem::replace(&mut *place.lock().unwrap_or_else(PoisonError::into_inner), value)
}

impl<T> Way<Delivery<T>> for Generalized {
    type Output = Received<Option<T>>;
    const STATUS: bool = true;
    fn output(delivery: Delivery<T>, status: MPI_Status) -> Self::Output {
        Received { data: exchange(&delivery.value, None), status: Status::from_raw(status) }
    }
    unsafe fn abandon(delivery: *const Delivery<T>, request: MPI_Request) {
        // SAFETY: points to a delivery that is initialized, by this function's contract; MPI does not use it.
        let control = unsafe { &(*delivery).control };
        if control.abandon() {
            // SAFETY: abandoned just now, so it is not complete, and nobody else completes it; MPI is live, on the
            // thread of a request. Should it fail, the request stays in flight, by the rule of those that do.
            let _ = unsafe { complete(request) };
        }
    }
}

impl Communicator {
    /// Starts an operation of the program's own: a request, and the handle that completes it with a value.
    ///
    /// `MPI_Grequest_start` (MPI 4.1 §13.2). The communicator is [in use](Communicator::free) while the request exists;
    /// nothing travels on it. The request is waited for like a message, also among messages:
    /// [`boxed`](Pending::boxed) requests of several kinds share a set.
    ///
    /// - A completer that is dropped completes the request as cancelled: it gives `None`, and
    ///   [`is_cancelled`](Status::is_cancelled) says so.
    /// - A completer that is forgotten never completes it: then waiting for it never ends, as it does not where the
    ///   completer is on the thread that waits.
    /// - A request that is dropped waits for nobody. Completing it afterwards gives the value back.
    ///
    /// # Errors
    /// MPI has ended; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (answer, completer) = world.grequest_start::<u64>()?;
    /// completer.complete(42)?; // where the work is done
    /// assert_eq!(answer.wait()?.data, Some(42));
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Grequest_start")]
    pub fn grequest_start<T>(&self) -> Result<(PendingGeneralized<T>, Completer<T, Here>)> {
        crate::environment::live(START)?;
        let (control, value) = (Arc::<Control>::default(), Value::<T>::default());
        let delivery = Delivery { control: control.clone(), value: value.clone(), on_cancel: None };
        let start = |(), request| Control::start(&control, request);
        let pending = Pending::post(self.user(), OPERATION, (0, 0), delivery, |_| (), start)?;
        let completer = Completer::new(pending.flight.handle(), control, value);
        Ok((pending, completer))
    }
}

impl<T> PendingGeneralized<T> {
    /// The same request, whose [`cancel`](Pending::cancel) calls `f`: say, to wake up whoever does the work.
    ///
    /// `f` is called after `MPI_Cancel` has returned, so it may do anything.
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    pub fn on_cancel(mut self, f: impl Fn() + 'static) -> Self {
        self.flight.cargo().on_cancel = Some(Box::new(f));
        self
    }

    /// Asks for cancellation, unless the operation is complete: [`Completer::is_cancel_wanted`] says so from now on, and
    /// what was given to [`on_cancel`](Pending::on_cancel) is called. The request goes on until its completer is used or
    /// dropped.
    ///
    /// `MPI_Cancel` (MPI 4.1 §3.8.4, §13.2).
    ///
    /// # Errors
    /// What MPI reports; or MPI has ended.
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    #[doc(alias = "MPI_Cancel")]
    pub fn cancel(&mut self) -> Result<()> {
        self.flight.cancel()?;
        let delivery = self.flight.cargo();
        match &delivery.on_cancel {
            Some(f) if delivery.control.is_cancel_wanted() => f(),
            _ => {}
        }
        Ok(())
    }
}

impl<T> fmt::Debug for Delivery<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery").field("control", &self.control).finish_non_exhaustive()
    }
}
