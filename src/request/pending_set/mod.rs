//! A set of owned requests: completed one by one as they come, some at a time, or all together.
#![allow(unsafe_code)]

mod status;

use super::all;
use super::flight::{Flight, Landing};
use super::future::{found, ready_or_again};
use super::pending::output;
use super::{Incoming, Pending, Test, WaitAll, Way};
use crate::environment::live;
use crate::error::{Argument, Error, ErrorClass, Failed, Result, Returned};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check, class_of};
use crate::status::Status;
use std::collections::VecDeque;
use std::fmt;
use std::os::raw::c_int;

/// Owned requests of one kind, completed in any order by `MPI_Waitany` and its kin. Requests of several kinds go into one
/// set when they are [mapped](Pending::map) to one output and [boxed](Pending::boxed).
///
/// Each request has an index: that of its [`push`](PendingSet::push), counted from 0, whatever is completed meanwhile. A
/// set may be refilled at any time, and a set that is drained gives `None`.
///
/// A completion that fails is an `Err` whose [`Error::index`] names the request and which gives its buffer back
/// ([`Failed`]). Nothing else is lost: what was completed by the same call is kept for the next one, and what is in
/// flight stays so.
///
/// The set is a [`Future`] of all its requests, as [`wait_all`](PendingSet::wait_all); [`any`](PendingSet::any) is one of
/// the next. Dropping it drops the requests, by the rule of [`Pending`].
///
/// ```no_run
/// # let world = mpi::init()?;
/// use mpi::request::PendingSet;
/// // A server: whoever asks is answered, and asked again.
/// let ask = |rank| world.irecv(vec![0u64; 8], rank, 0);
/// let mut asked = (1..world.size()).map(ask).collect::<Result<PendingSet<_>, _>>()?;
/// while let Some((_, question)) = asked.wait_any()? {
///     let Some(rank) = question.status.source() else { continue };
///     world.send(&question.data, rank, 1)?;
///     if question.data[0] != 0 {
///         asked.push(world.irecv(question.data, rank, 0)?);
///     }
/// }
/// # Ok::<(), mpi::Error>(())
/// ```
#[must_use = "dropping a set waits for its requests: say so with `wait_all()`"]
pub struct PendingSet<B, W: Way<B> = Incoming> {
    /// With their indices, in no order.
    flying: Vec<(usize, Flight<B, W>)>,
    /// Completed, not given out yet.
    landed: VecDeque<(usize, Landing<B>)>,
    next: usize,
    /// What MPI is given: kept, so that a call allocates nothing.
    handles: Vec<MPI_Request>,
    statuses: Vec<MPI_Status>,
    indices: Vec<c_int>,
}

/// The index of a request, and what it gives back.
pub type Indexed<B, W> = (usize, <W as Way<B>>::Output);

/// What a set has found without waiting.
pub type Looked<O, B> = Result<Test<O, ()>, Failed<B>>;

/// Which requests a call reported on, and where it put their statuses.
enum Reported {
    /// All that are null now; the status of each is at its place.
    InPlace,
    /// One, at this place; its status comes first.
    One(c_int),
    /// So many, at the places that `indices` names; their statuses come in that order.
    Some(c_int),
}

impl<B, W: Way<B>> PendingSet<B, W> {
    /// An empty set.
    pub fn new() -> Self {
        PendingSet {
            flying: Vec::new(),
            landed: VecDeque::new(),
            next: 0,
            handles: Vec::new(),
            statuses: Vec::new(),
            indices: Vec::new(),
        }
    }

    /// Adds a request; returns its index.
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    pub fn push(&mut self, request: Pending<B, W>) -> usize {
        assert!(!request.flight.is_taken(), "a request that was completed cannot be completed again");
        let index = self.next;
        self.next += 1;
        self.flying.push((index, request.flight));
        index
    }

    /// How many requests have not been given out.
    pub fn len(&self) -> usize {
        self.flying.len() + self.landed.len()
    }

    /// Whether all requests have been given out.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits until a request is complete, without limit, and gives its index and what it gives back; `None` if the set is
    /// empty.
    ///
    /// `MPI_Waitany` (MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// What MPI reports of that request; or MPI has ended.
    #[doc(alias = "MPI_Waitany")]
    pub fn wait_any(&mut self) -> Result<Option<Indexed<B, W>>, Failed<B>> {
        if self.stage() {
            let mut place = ffi::MPI_UNDEFINED;
            self.complete(&"MPI_Waitany", |n, handles, _, statuses| {
                // SAFETY: `n` valid handles of ours, and room for one status; MPI is live.
                let code = unsafe { ffi::MPI_Waitany(n, handles, &raw mut place, statuses) };
                (code, Reported::One(place))
            })?;
        }
        self.pop()
    }

    /// Asks whether a request is complete, as [`wait_any`](PendingSet::wait_any): `Done(None)` if the set is empty.
    ///
    /// `MPI_Testany` (MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// As [`wait_any`](PendingSet::wait_any).
    #[doc(alias = "MPI_Testany")]
    pub fn test_any(&mut self) -> Looked<Option<Indexed<B, W>>, B> {
        if self.stage() {
            let (mut place, mut flag) = (ffi::MPI_UNDEFINED, 0);
            self.complete(&"MPI_Testany", |n, handles, _, statuses| {
                // SAFETY: as in `wait_any`.
                let code = unsafe { ffi::MPI_Testany(n, handles, &raw mut place, &raw mut flag, statuses) };
                (code, Reported::One(place))
            })?;
            if self.landed.is_empty() {
                return Ok(Test::Pending(()));
            }
        }
        self.pop().map(Test::Done)
    }

    /// Waits until some requests are complete, and gives all that are, in the order of their indices; `None` if the set
    /// is empty.
    ///
    /// `MPI_Waitsome` (MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// What MPI reports of one of them. The others are given out by the next call.
    #[doc(alias = "MPI_Waitsome")]
    pub fn wait_some(&mut self) -> Result<Option<Vec<Indexed<B, W>>>, Failed<B>> {
        if self.is_empty() {
            return Ok(None);
        }
        if self.stage() {
            self.complete(&"MPI_Waitsome", |n, handles, indices, statuses| {
                let mut count = 0;
                // SAFETY: `n` valid handles of ours, and room for as many indices and statuses; MPI is live.
                let code = unsafe { ffi::MPI_Waitsome(n, handles, &raw mut count, indices, statuses) };
                (code, Reported::Some(count))
            })?;
        }
        self.take_landed().map(Some)
    }

    /// Asks which requests are complete, as [`wait_some`](PendingSet::wait_some): an empty vector if none is.
    ///
    /// `MPI_Testsome` (MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// As [`wait_some`](PendingSet::wait_some).
    #[doc(alias = "MPI_Testsome")]
    pub fn test_some(&mut self) -> Result<Option<Vec<Indexed<B, W>>>, Failed<B>> {
        if self.is_empty() {
            return Ok(None);
        }
        if self.stage() {
            self.complete(&"MPI_Testsome", |n, handles, indices, statuses| {
                let mut count = 0;
                // SAFETY: as in `wait_some`.
                let code = unsafe { ffi::MPI_Testsome(n, handles, &raw mut count, indices, statuses) };
                (code, Reported::Some(count))
            })?;
        }
        self.take_landed().map(Some)
    }

    /// Waits until all requests are complete, without limit, and gives what they give back, in the order of their
    /// indices.
    ///
    /// `MPI_Waitall` (MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// What MPI reports of one of them. The others stay in the set, complete or in flight: call again, or
    /// [`wait_any`](PendingSet::wait_any).
    #[doc(alias = "MPI_Waitall")]
    pub fn wait_all(&mut self) -> Result<Vec<W::Output>, Failed<B>> {
        self.stage();
        // A call that fails may leave some in flight, and is followed by the `Err` of one that failed.
        while !self.flying.is_empty() && self.failed().is_none() {
            self.complete(&"MPI_Waitall", |n, handles, _, statuses| {
                // SAFETY: `n` valid handles of ours, and room for as many statuses; MPI is live.
                (unsafe { all::wait_all(n, handles, statuses) }, Reported::InPlace)
            })?;
        }
        self.take_all()
    }

    /// Asks whether all requests are complete: `Done` with what they give back, as
    /// [`wait_all`](PendingSet::wait_all).
    ///
    /// `MPI_Testall` (MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// As [`wait_all`](PendingSet::wait_all).
    #[doc(alias = "MPI_Testall")]
    pub fn test_all(&mut self) -> Looked<Vec<W::Output>, B> {
        self.stage();
        if !self.flying.is_empty() && self.failed().is_none() {
            let mut flag = 0;
            self.complete(&"MPI_Testall", |n, handles, _, statuses| {
                // SAFETY: as in `wait_all`.
                (unsafe { ffi::MPI_Testall(n, handles, &raw mut flag, statuses) }, Reported::InPlace)
            })?;
        }
        if !self.flying.is_empty() && self.failed().is_none() {
            return Ok(Test::Pending(()));
        }
        self.take_all().map(Test::Done)
    }

    /// [`wait_any`](PendingSet::wait_any) as a future. Dropping it loses nothing.
    ///
    /// # Errors
    /// As [`wait_any`](PendingSet::wait_any).
    pub fn any(&mut self) -> impl Future<Output = Result<Option<Indexed<B, W>>, Failed<B>>> {
        std::future::poll_fn(|cx| ready_or_again(found(self.test_any()), cx))
    }

    /// Moves what MPI gave no handle for (messages from and to nowhere) to what has landed, since MPI's calls on sets skip
    /// it. Whether MPI has to be asked.
    fn stage(&mut self) -> bool {
        for place in (0..self.flying.len()).rev() {
            if self.flying[place].1.handle() == ffi::MPI_REQUEST_NULL {
                let (index, mut flight) = self.flying.swap_remove(place);
                self.landed.push_back((index, flight.land(Ok(()), Status::nothing())));
            }
        }
        self.landed.is_empty() && !self.flying.is_empty()
    }

    /// Copies the handles of what is flying, and makes room for as many indices and statuses. MPI is live.
    fn gather(&mut self, call: Call) -> Result<c_int> {
        live(call)?;
        let len = self.flying.len();
        let n = c_int::try_from(len)
            .map_err(|_| Error::length(call, Argument::Count, len, c_int::MAX as usize))?;
        self.handles.clear();
        self.handles.extend(self.flying.iter().map(|(_, flight)| flight.handle()));
        self.statuses.clear();
        self.statuses.resize(len, Status::empty());
        self.indices.resize(len, 0);
        Ok(n)
    }

    /// Makes one call that completes some of what is flying, and moves that to what has landed.
    fn complete(
        &mut self,
        call: Call,
        f: impl FnOnce(c_int, *mut MPI_Request, *mut c_int, *mut MPI_Status) -> (c_int, Reported),
    ) -> Result<(), Failed<B>> {
        let lost = |error| Returned { error, data: None };
        let n = self.gather(call).map_err(lost)?;
        let len = self.flying.len();
        let (code, reported) =
            f(n, self.handles.as_mut_ptr(), self.indices.as_mut_ptr(), self.statuses.as_mut_ptr());
        for ((_, flight), handle) in self.flying.iter_mut().zip(&self.handles) {
            // SAFETY: what MPI left of the handle that was read from this request.
            unsafe { flight.set_handle(*handle) };
        }
        let before = self.landed.len();
        for place in (0..len).rev().filter(|&place| self.handles[place] == ffi::MPI_REQUEST_NULL) {
            let status = self.status_at(place, &reported);
            let (index, mut flight) = self.flying.swap_remove(place);
            self.landed.push_back((index, flight.land(outcome(call, code, &status, index), status)));
        }
        // An error that no request has come down with is the caller's to hear; all stay in flight.
        if self.landed.len() == before { check(call, code).map_err(lost) } else { Ok(()) }
    }

    fn status_at(&self, place: usize, reported: &Reported) -> MPI_Status {
        let found = match *reported {
            Reported::InPlace => Some(place),
            Reported::One(reported) => (usize::try_from(reported) == Ok(place)).then_some(0),
            Reported::Some(count) => {
                let known = &self.indices[..usize::try_from(count).unwrap_or(0).min(self.indices.len())];
                known.iter().position(|&reported| usize::try_from(reported) == Ok(place))
            }
        };
        found.map_or_else(Status::nothing, |i| self.statuses[i])
    }

    /// Where the first that failed is among what has landed.
    fn failed(&self) -> Option<usize> {
        self.landed.iter().position(|(_, result)| result.is_err())
    }

    fn pop(&mut self) -> Result<Option<Indexed<B, W>>, Failed<B>> {
        match self.landed.pop_front() {
            None => Ok(None),
            Some((index, result)) => Ok(Some((index, output::<B, W>(result?)))),
        }
    }

    /// What has landed, or the first failure among it.
    fn take_landed(&mut self) -> Result<Vec<Indexed<B, W>>, Failed<B>> {
        if let Some((_, Err(failed))) = self.failed().and_then(|at| self.landed.remove(at)) {
            return Err(failed);
        }
        let mut all = Vec::with_capacity(self.landed.len());
        while let Some(one) = self.pop()? {
            all.push(one);
        }
        all.sort_unstable_by_key(|&(index, _)| index);
        Ok(all)
    }

    fn take_all(&mut self) -> Result<Vec<W::Output>, Failed<B>> {
        Ok(self.take_landed()?.into_iter().map(|(_, output)| output).collect())
    }
}

/// What one request ended with, by the code of the call and the request's own.
fn outcome(call: Call, code: c_int, status: &MPI_Status, index: usize) -> Result<()> {
    if code == ffi::MPI_SUCCESS {
        return Ok(());
    }
    let own = match ErrorClass::from_raw(class_of(code)) {
        ErrorClass::IN_STATUS => Status::error_code(status),
        _ => code,
    };
    if own == ffi::MPI_SUCCESS {
        return Ok(());
    }
    Err(Error::in_status(call, own, class_of(own), index))
}

impl<B, W: Way<B>> Default for PendingSet<B, W> {
    fn default() -> Self {
        PendingSet::new()
    }
}
impl<B, W: Way<B>> Extend<Pending<B, W>> for PendingSet<B, W> {
    fn extend<I: IntoIterator<Item = Pending<B, W>>>(&mut self, requests: I) {
        requests.into_iter().for_each(|request| {
            self.push(request);
        });
    }
}
impl<B, W: Way<B>> FromIterator<Pending<B, W>> for PendingSet<B, W> {
    fn from_iter<I: IntoIterator<Item = Pending<B, W>>>(requests: I) -> Self {
        let mut set = PendingSet::new();
        set.extend(requests);
        set
    }
}
impl<B, W: Way<B>> fmt::Debug for PendingSet<B, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingSet")
            .field("in_flight", &self.flying.len())
            .field("complete", &self.landed.len())
            .finish_non_exhaustive()
    }
}

impl<B, W: Way<B>> WaitAll for Vec<Pending<B, W>> {
    type Output = Vec<W::Output>;
    /// As [`PendingSet::wait_all`]; after a failure the other requests are dropped, by the rule of [`Pending`].
    fn wait_all(self) -> Result<Self::Output> {
        Ok(self.into_iter().collect::<PendingSet<_, _>>().wait_all()?)
    }
}
