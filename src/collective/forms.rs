//! The three forms of a collective: blocking, nonblocking, persistent. Each collective describes its arguments once; what
//! is here makes any of the three calls with them.
//!
//! A *shape* is a list of C parameters ([`Forms`] has one function for each form of it). A *description* is a value that
//! holds such arguments, checked, and implements [`Described`] (`describe`). Tables of the functions themselves are in
//! `table`.
#![allow(unsafe_code)]

use super::agree::Terms;
use crate::comm::Communicator;
use crate::environment::live;
use crate::error::{Error, Needs, Result, Returned};
use crate::ffi::{self, Call, MPI_Comm, MPI_Request};
use crate::request::{Collective, Kept, Loan, Pending, Request};
use crate::scope::{Operation, Scope};
use std::convert::Infallible;
use std::os::raw::c_int;
use std::rc::Rc;

/// What the three forms of a collective are called.
pub(crate) struct Names {
    pub now: &'static str,
    pub start: Operation,
    pub init: Operation,
}

/// The functions of one collective.
pub(crate) struct Forms<N, S, I, W: 'static = Narrow<N, S, I>> {
    pub names: Names,
    pub now: N,
    pub start: S,
    /// `None` if the library lacks it: before MPI 4.
    pub init: Option<I>,
    /// The functions for large counts (`MPI_…_c`), where the library has them and this crate needs them.
    pub wide: Option<&'static W>,
}

/// No functions for large counts: a barrier counts nothing, and the w forms have derived types. There is no value of this.
pub(crate) struct Narrow<N, S, I> {
    pub now: N,
    pub start: S,
    pub init: Option<I>,
    _never: Infallible,
}

/// Checked arguments of a collective on a communicator.
pub(crate) trait Described {
    fn names(&self) -> &'static Names;
    /// # Safety
    /// The memory described is valid, and exclusive where it is written, during the call; `comm` is the communicator
    /// that the arguments were checked against.
    unsafe fn now(&self, comm: MPI_Comm) -> Result<()>;
    /// # Safety
    /// As `now`, and until the request is complete.
    unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()>;
    /// # Safety
    /// As `now`, and until the request is freed, whenever it is active.
    unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()>;
    /// What ranks must say alike, besides the name of the call. Its arrays are those of the call.
    #[inline(always)]
    fn terms(&self) -> Terms {
        Terms::NONE
    }
    /// What MPI uses besides the memory until completion, where the description made it.
    #[inline(always)]
    fn kept(&self) -> Kept {
        None
    }
}

/// The function of a persistent form, or that the library has none.
pub(crate) fn needed<I>(names: &'static Names, init: Option<I>) -> Result<I> {
    init.ok_or_else(|| Error::unsupported(&names.init.call, Needs::Standard(4, 0)))
}

impl Names {
    pub(crate) fn now(&'static self) -> Call {
        &self.now
    }
    pub(crate) fn start(&'static self) -> Call {
        &self.start.call
    }
    /// Whether it is a neighbourhood collective.
    pub(super) fn is_of_neighbors(&self) -> bool {
        self.now.starts_with("MPI_Neighbor")
    }
}

/// A collective has no peer and no tag.
const NO_PEER: (c_int, c_int) = (0, 0);

impl Communicator {
    /// Makes the blocking call.
    ///
    /// # Safety
    /// The memory that is described is borrowed by the caller, exclusively where it is written, and was checked
    /// against this communicator.
    #[inline(always)]
    pub(crate) unsafe fn collective(&self, described: impl Described) -> Result<()> {
        live(described.names().now())?;
        if self.is_checked() {
            // SAFETY: this function's contract.
            unsafe { self.agree(described.names(), described.terms()) }?;
        }
        // SAFETY: this function's contract.
        unsafe { described.now(self.raw()) }
    }

    /// Makes the nonblocking call on buffers that the request owns.
    ///
    /// # Safety
    /// `describe` describes memory that belongs to the buffers, which stays in place and is nobody else's as long as
    /// nobody uses them (`OwnedSend`, `OwnedRecv`), checked against this communicator; `kept` is what else MPI needs.
    #[inline(always)]
    pub(crate) unsafe fn start_owned<B, D: Described, N, S, I, W>(
        &self,
        forms: &'static Forms<N, S, I, W>,
        buffers: B,
        kept: Kept,
        describe: impl FnOnce(&mut B) -> Result<D>,
    ) -> Result<Pending<B, Collective>, Returned<B>> {
        let names = &forms.names;
        let (comm, mut made) = (self.raw(), None);
        let pending =
            Pending::post(self.user(), &names.start, NO_PEER, buffers, describe, |described, request| {
                live(names.start())?;
                let described = named(names, described)?;
                made = described.kept();
                // SAFETY: this function's contract; the buffers stay until completion, or for ever (`Flight`).
                unsafe { described.start(comm, request) }
            })?;
        Ok(pending.keeping(both(kept, made)))
    }
}

impl<'s> Scope<'s, '_> {
    /// Keeps what an operation needs until MPI has given everything back.
    #[inline(always)]
    pub(crate) fn keep_operation(self, kept: Kept) {
        if kept.is_some() {
            self.keep(kept);
        }
    }

    /// Makes the nonblocking call on memory that `loan` has borrowed.
    ///
    /// # Safety
    /// The memory that is described is borrowed for `'s`, exclusively where it is written, and was checked against the
    /// scope's communicator; so is what else MPI keeps.
    #[inline(always)]
    pub(crate) unsafe fn collective<L: Loan, D: Described, N, S, I, W>(
        self,
        forms: &'static Forms<N, S, I, W>,
        described: Result<D>,
        loan: L,
    ) -> Result<Request<'s, L>> {
        let names = &forms.names;
        let described = named(names, described)?;
        live(names.start())?;
        self.keep_operation(described.kept());
        let comm = self.comm.raw();
        self.post(&names.start, NO_PEER, loan, move |request| {
            // SAFETY: this function's contract; the arena completes the request before `'s` ends.
            unsafe { described.start(comm, request) }
        })
    }
}

/// What a description found wrong, under the name of the nonblocking form: it is made for all.
#[inline(always)]
fn named<D>(names: &'static Names, described: Result<D>) -> Result<D> {
    described.map_err(|error| error.renamed(names.now(), names.start()))
}

/// What keeps both.
#[inline(always)]
pub(crate) fn both(one: Kept, other: Kept) -> Kept {
    match (one, other) {
        (Some(one), Some(other)) => Some(Rc::new((one, other))),
        (one, other) => one.or(other),
    }
}

/// The info that says nothing.
pub(crate) const NO_INFO: ffi::MPI_Info = ffi::MPI_INFO_NULL;
