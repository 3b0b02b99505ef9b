//! Requests that complete in an order nobody knows, and are posted again: a set (MPI 4.1 §3.7.5).

mod complete;
mod status;

use super::{Loan, Request};
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Request, MPI_Status};
use crate::scope::{Arena, Chunk, Kind, Scope};
use crate::status::Status;
use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::c_int;

/// Requests of one kind that a scope completes, stored one after the other, so that MPI takes them as they are: no
/// copying, and no allocation once the set is as large as it gets.
///
/// A request has an index while it is in the set. The index is free again when the request was given back, so a
/// server posts its next receive where the last one was. Requests of several kinds go into one set when they are
/// [mapped](Request::map) to one output and [boxed](Request::boxed).
///
/// What fails does not take the rest with it: each result is that of one request, an error names its index
/// ([`Error::index`]), and what MPI left pending stays in the set, where it can be waited for again. Its buffer
/// stays lent. Dropping or forgetting the set leaves what is in flight to the end of the scope.
///
/// ```no_run
/// use mpi::request::RequestSet;
/// # let world = mpi::init()?;
/// let mut inboxes = vec![[0.0; 16]; world.size()];
/// world.scope(|s| {
///     let mut set = RequestSet::new(s);
///     for (inbox, peer) in inboxes.iter_mut().zip(0..) {
///         set.push(s.irecv(inbox, peer, 0)?);
///     }
///     for _ in 0..100 {
///         let Some((i, got)) = set.wait_any()? else { break };
///         println!("{} from {i}", got.data[0]);
///         set.push(s.irecv(got.data, i, 0)?);
///     }
///     Ok(())
/// })?;
/// # Ok::<(), mpi::Error>(())
/// ```
pub struct RequestSet<'s, L: Loan> {
    arena: &'s Arena<'s>,
    /// The handles; null where no request is in flight.
    chunk: &'s Chunk,
    entries: Vec<Entry<L>>,
    /// The indices that the next requests get.
    vacant: Vec<usize>,
    /// What is complete and not yet given back.
    complete: VecDeque<(usize, Result<MPI_Status>)>,
    indices: Vec<c_int>,
    statuses: Vec<MPI_Status>,
    /// `push` adopts a request into the set's scope. If an outer scope's set could be shortened to an inner `'s`, it
    /// could adopt a request of the inner scope, which would end without completing it.
    _invariant: PhantomData<&'s mut &'s ()>,
}

/// A place of the set: vacant, in flight (a loan), complete (a loan, queued) or failed (queued).
struct Entry<L> {
    loan: Option<L>,
    queued: bool,
}
impl<L> Entry<L> {
    fn is_in_flight(&self) -> bool {
        self.loan.is_some() && !self.queued
    }
}

impl<'s, L: Loan> RequestSet<'s, L> {
    /// An empty set of this scope.
    pub fn new(scope: Scope<'s, '_>) -> Self {
        Self::with_capacity(scope, 8)
    }

    /// An empty set, with room for `n` requests at a time before it allocates again.
    pub fn with_capacity(scope: Scope<'s, '_>, n: usize) -> Self {
        let mut set = RequestSet {
            arena: scope.arena,
            chunk: scope.arena.chunk(Kind::Requests, n),
            entries: Vec::new(),
            vacant: Vec::new(),
            complete: VecDeque::new(),
            indices: Vec::new(),
            statuses: Vec::new(),
            _invariant: PhantomData,
        };
        set.make_room();
        set
    }

    /// Moves a request into the set. Returns its index: one that is free, or `n` if 0 to `n - 1` are all taken.
    pub fn push(&mut self, request: Request<'s, L>) -> usize {
        let index = self.vacancy();
        self.chunk.describe(index, self.arena.note(request.slot));
        let handle = request.slot.slot().replace(ffi::MPI_REQUEST_NULL);
        self.chunk.slots()[index].set(handle);
        self.entries[index] = Entry { loan: Some(request.loan), queued: false };
        if handle == ffi::MPI_REQUEST_NULL {
            // MPI completed it at once, and does not report what has no handle.
            self.queue(index, Ok(Status::nothing()));
        }
        index
    }

    /// How many requests are in the set: in flight, or not yet given back.
    pub fn len(&self) -> usize {
        self.entries.len() - self.vacant.len()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A free index.
    fn vacancy(&mut self) -> usize {
        if let Some(index) = self.vacant.pop() {
            return index;
        }
        let index = self.entries.len();
        if index == self.chunk.slots().len() {
            self.grow();
        }
        self.entries.push(Entry { loan: None, queued: false });
        index
    }

    /// Moves the handles to a larger chunk. The slots of the old one serve the scope.
    #[cold]
    fn grow(&mut self) {
        let old = self.chunk;
        let new = self.arena.chunk(Kind::Requests, (2 * old.slots().len()).max(8));
        for (i, (from, to)) in old.slots().iter().zip(new.slots()).enumerate() {
            to.set(from.replace(ffi::MPI_REQUEST_NULL));
            new.describe(i, old.note(i));
        }
        old.share();
        self.chunk = new;
        self.make_room();
    }

    /// So that completing requests allocates nothing.
    fn make_room(&mut self) {
        let n = self.chunk.slots().len();
        self.entries.reserve(n - self.entries.len());
        self.vacant.reserve(n - self.vacant.len());
        self.complete.reserve(n - self.complete.len());
        self.indices.resize(n, 0);
        self.statuses.resize(n, Status::empty());
    }

    /// The handles as MPI takes them: as many as were ever in the set at once, null where there is none.
    fn handles(&self, call: Call) -> Result<(c_int, *mut MPI_Request)> {
        let n = self.entries.len();
        let count =
            c_int::try_from(n).map_err(|_| Error::length(call, Argument::Count, n, c_int::MAX as usize))?;
        Ok((count, self.chunk.slots().as_ptr().cast_mut().cast()))
    }

    /// Whether MPI has completed a request that is not queued yet.
    fn is_complete(&self, index: usize) -> bool {
        self.entries.get(index).is_some_and(Entry::is_in_flight)
            && self.chunk.slots()[index].get() == ffi::MPI_REQUEST_NULL
    }

    /// Notes that a request is complete, with its status, or failed. The caller has seen its handle become null.
    fn queue(&mut self, index: usize, outcome: Result<MPI_Status>) {
        let entry = &mut self.entries[index];
        entry.queued = true;
        if outcome.is_err() {
            entry.loan = None; // MPI may have written anything: the buffer stays lent until the scope ends
        }
        self.complete.push_back((index, outcome));
    }

    /// Gives back one request that is complete.
    fn next(&mut self) -> Option<(usize, Result<L::Output>)> {
        let (index, outcome) = self.complete.pop_front()?;
        let loan = std::mem::replace(&mut self.entries[index], Entry { loan: None, queued: false }).loan;
        self.vacant.push(index);
        match (outcome, loan) {
            // SAFETY: queued as complete, when its handle was null; the status is the one MPI gave for it.
            (Ok(status), Some(loan)) => Some((index, Ok(unsafe { loan.settle(status) }))),
            (Err(error), _) => Some((index, Err(error))),
            (Ok(_), None) => None, // what is queued as complete has a loan
        }
    }
}

impl<'s, L: Loan> Extend<Request<'s, L>> for RequestSet<'s, L> {
    fn extend<I: IntoIterator<Item = Request<'s, L>>>(&mut self, requests: I) {
        for request in requests {
            self.push(request);
        }
    }
}

impl<L: Loan> Drop for RequestSet<'_, L> {
    /// Lets the scope use the places again. It completes what is in flight, also if this never runs.
    fn drop(&mut self) {
        self.chunk.share();
    }
}

impl<L: Loan> fmt::Debug for RequestSet<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestSet").field("len", &self.len()).finish_non_exhaustive()
    }
}
