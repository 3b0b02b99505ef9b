//! The plan: arrays, and the operations on blocks of them that are started together.
#![allow(unsafe_code)]

use super::array::{Array, ArrayId};
use super::block::Shape;
use super::flight::Flight;
use super::lend::Owned;
use super::operation::{Message, Operation};
use super::slots::Slots;
use crate::collective::copied::SENDS_COPIES;
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::environment::{live, report};
use crate::error::{Argument, Error, Result, Returned, errors_seen};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check};
use crate::status::Status;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::os::raw::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

const START: Call = &"MPI_Start";
const STARTALL: Call = &"MPI_Startall";
const WAITALL: Call = &"MPI_Waitall";
const FREE: Call = &"MPI_Request_free";

/// Whether an operation may send from a copy: where persistent collectives exist and are faulty.
const MAY_COPY: bool = SENDS_COPIES && cfg!(mpi_has = "MPI_Alltoallv_init");

/// Whether MPI may be using the arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    Active,
    /// Active, and MPI has failed to complete an operation when it was waited for.
    Stuck,
    /// Idle, and nobody has seen yet that an operation failed.
    Failed,
}

/// Persistent sends and receives on blocks of several arrays, started and completed together.
///
/// [`Plan::new`] makes a plan that owns its arrays: [`array`](Plan::array), [`grid`](Plan::grid) and [`grid3`](Plan::grid3) take a `Vec`
/// and give an [`ArrayId`], [`take`](Plan::take) gives the `Vec` back. [`Scope::plan`](crate::Scope::plan) makes one that borrows them
/// ([`ScopedPlan`](super::ScopedPlan)). Element types may differ from array to array. Between steps an array is read and written as a whole
/// ([`get`](Plan::get), [`get_mut`](Plan::get_mut)), in flight block by block ([`Flight`]).
///
/// # Dropping it
/// A plan that is dropped waits for what is in flight, then frees requests and arrays. If an error of this crate came up
/// on this thread since the start (an early `?`), receives are cancelled, the rest is polled up to the
/// [stall limit](crate::environment::set_stall_limit), and what is then still in flight ends the job, with a line that
/// names call, peer and tag. While a thread panics nothing waits: arrays that MPI still uses are leaked. So is everything
/// of a plan that is forgotten. What a plan of a scope leaves behind, the scope completes and frees.
///
/// See the [module](super) for an example.
pub struct Plan<'c, H = Owned> {
    pub(super) comm: &'c Communicator,
    number: u64,
    /// Taken arrays leave a hole: an index is never used again.
    pub(super) arrays: Vec<Option<Array>>,
    /// The persistent handles, in the order in which they are started.
    pub(super) slots: Slots<'c>,
    /// For each of them, where MPI says how it ended.
    pub(super) statuses: Vec<Cell<MPI_Status>>,
    /// For each of them, what it is the request of.
    pub(super) operations: Vec<Operation>,
    /// How many of them send from a copy: a start without any need not look at them.
    pub(super) copying: usize,
    pub(super) state: Cell<State>,
    /// What `errors_seen` said when the plan was started.
    pub(super) errors: Cell<u32>,
    /// What failed in a flight that was dropped: the next use of the plan says so.
    pub(super) unseen: Cell<Option<Error>>,
    _home: PhantomData<H>,
    /// `MPI_Request` is an `int` with one library and a pointer with another; ours never changes threads.
    _thread: PhantomData<*const ()>,
}

impl<'c> Plan<'c> {
    /// A plan without arrays and operations. Makes no MPI call.
    pub fn new(comm: &'c Communicator) -> Self {
        Self::with(comm, Slots::own())
    }

    /// Takes an array of one row: its blocks are ranges of its elements.
    ///
    /// `T` must be receivable ([`AnyBits`](crate::AnyBits)) only where a block is received.
    pub fn array<T: Datatype>(&mut self, elements: impl Into<Vec<T>>) -> ArrayId<T> {
        let elements = elements.into();
        let shape = Shape::row(elements.len());
        self.keep(Array::new(elements, shape))
    }

    /// Takes a row-major array of `rows` x `cols` elements.
    ///
    /// # Errors
    /// The number of elements is another. They come back in the error.
    pub fn grid<T: Datatype>(
        &mut self,
        elements: impl Into<Vec<T>>,
        rows: usize,
        cols: usize,
    ) -> Result<ArrayId<T>, Returned<Vec<T>>> {
        let elements = elements.into();
        let shape = Shape::new(&"Plan::grid", elements.len(), [1, rows, cols]);
        self.keep_shaped(elements, shape)
    }

    /// Takes a row-major array of planes, rows and columns.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut plan = mpi::persistent::Plan::new(&world);
    /// let field = plan.grid3(vec![0.0f64; 10 * 20 * 30], [10, 20, 30])?;
    /// // The last column of every row goes to the right, and the first comes from the left.
    /// let (left, right) = (world.rank().checked_sub(1), (world.rank() + 1 < world.size()).then_some(world.rank() + 1));
    /// plan.send(field, [0..10, 0..20, 28..29], right, 0)?.recv(field, [0..10, 0..20, 0..1], left, 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    ///
    /// # Errors
    /// The number of elements is another. They come back in the error.
    pub fn grid3<T: Datatype>(
        &mut self,
        elements: impl Into<Vec<T>>,
        dims: [usize; 3],
    ) -> Result<ArrayId<T>, Returned<Vec<T>>> {
        let elements = elements.into();
        let shape = Shape::new(&"Plan::grid3", elements.len(), dims);
        self.keep_shaped(elements, shape)
    }

    /// Keeps elements of a shape that they may not have.
    fn keep_shaped<T: Datatype>(
        &mut self,
        elements: Vec<T>,
        shape: Result<Shape>,
    ) -> Result<ArrayId<T>, Returned<Vec<T>>> {
        match shape {
            Ok(shape) => Ok(self.keep(Array::new(elements, shape))),
            Err(error) => Err(Returned { error, data: elements }),
        }
    }

    /// Gives an array back, and removes its operations from the plan.
    ///
    /// `MPI_Request_free` (MPI 4.1 §3.7.3) for each of them.
    ///
    /// # Errors
    /// The id is not of this plan; or what MPI reports: the array then stays in the plan.
    #[doc(alias = "MPI_Request_free")]
    pub fn take<T>(&mut self, id: ArrayId<T>) -> Result<Vec<T>> {
        let array = self.remove(id)?;
        // SAFETY: `ArrayId<T>` of an owning plan is made with a `Vec<T>`; the plan is idle, and no request refers to it.
        Ok(unsafe { array.into_vec() })
    }

    /// An array of a plan to which nothing could be added.
    pub(super) fn give_back<T>(&mut self, id: ArrayId<T>) -> Vec<T> {
        assert!(self.operations.is_empty() && self.number == id.plan);
        let array = self.arrays[id.index].take().expect("it was just put there");
        // SAFETY: made with a `Vec<T>`, of this plan; it has no request that could refer to it.
        unsafe { array.into_vec() }
    }
}

impl<'c, H> Plan<'c, H> {
    pub(super) fn with(comm: &'c Communicator, slots: Slots<'c>) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        Plan {
            comm,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            arrays: Vec::new(),
            slots,
            statuses: Vec::new(),
            operations: Vec::new(),
            copying: 0,
            state: Cell::new(State::Idle),
            errors: Cell::new(0),
            unseen: Cell::new(None),
            _home: PhantomData,
            _thread: PhantomData,
        }
    }

    pub(super) fn keep<T, A>(&mut self, array: Array) -> ArrayId<T, A> {
        self.arrays.push(Some(array));
        ArrayId::new(self.number, self.arrays.len() - 1)
    }

    /// Takes an array out of the plan, which is then idle, and frees the requests that refer to it.
    pub(super) fn remove<T>(&mut self, id: ArrayId<T>) -> Result<Array> {
        self.complete()?;
        live(FREE)?;
        self.find(FREE, id)?;
        self.free_operations(|operation| operation.uses(id.index))?;
        Ok(self.arrays[id.index].take().expect("found above"))
    }

    /// Whether there may be one operation more.
    pub(super) fn has_room(&self, call: Call) -> Result<()> {
        let count = self.operations.len() + 1;
        match c_int::try_from(count) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::length(call, Argument::Operations, count, c_int::MAX as usize)),
        }
    }

    /// Keeps the handle of an operation, for which there is room.
    pub(super) fn push(&mut self, handle: MPI_Request, operation: Operation) {
        self.slots.push(handle, operation.note());
        self.statuses.push(Cell::new(Status::nothing()));
        self.operations.push(operation);
    }

    /// Makes the request of a message.
    ///
    /// # Safety
    /// As of [`Message::request`].
    pub(super) unsafe fn make(&self, message: &Message) -> Result<MPI_Request> {
        let array = &self.arrays[message.array];
        let array = array.as_ref().expect("an array leaves the plan after its operations");
        // SAFETY: this function's contract.
        unsafe { message.request(array, self.comm) }
    }

    /// An array that was found before.
    pub(super) fn array_mut(&mut self, index: usize) -> &mut Array {
        self.arrays[index].as_mut().expect("found before")
    }

    /// Starts all operations.
    ///
    /// `MPI_Startall` (MPI 4.1 §3.9), once; of a plan of one operation `MPI_Start`. Waits first if the last [`Flight`] was forgotten.
    ///
    /// # Errors
    /// What MPI reports, also of an earlier flight that was dropped. If some operations were started and some not, the
    /// plan waits for the former before its next use.
    #[doc(alias("MPI_Start", "MPI_Startall"))]
    #[inline(always)]
    pub fn start(&mut self) -> Result<Flight<'_, 'c, H>> {
        // SAFETY: so many there are.
        unsafe { self.start_these(self.count()) }
    }

    /// Starts all operations, whose number the caller may know without a look.
    ///
    /// # Safety
    /// The plan has `n` operations.
    #[inline(always)]
    pub(super) unsafe fn start_these(&mut self, n: c_int) -> Result<Flight<'_, 'c, H>> {
        self.complete()?;
        live(STARTALL)?;
        if MAY_COPY && self.copying > 0 {
            self.copy()?;
        }
        self.errors.set(errors_seen());
        self.state.set(State::Active); // before the call: it may start some and then fail
        let handles = self.slots.as_mut_ptr();
        let code = if n == 1 {
            // SAFETY: an inactive persistent handle; MPI may use the block until `complete` has found it complete.
            unsafe { ffi::MPI_Start(handles) } // libraries make lists for the call on several
        } else {
            // SAFETY: inactive persistent handles; MPI may use the blocks until `complete` has found all of them complete.
            unsafe { ffi::MPI_Startall(n, handles) }
        };
        let call = if n == 1 { START } else { STARTALL };
        if let Err(error) = check(call, code) {
            self.after_failed_start();
            return Err(error);
        }
        Ok(Flight::new(self))
    }

    /// The whole array.
    ///
    /// # Errors
    /// The id is not of this plan; or what MPI reports of a flight that was dropped or forgotten, which is completed
    /// first.
    pub fn get<T, A>(&self, id: ArrayId<T, A>) -> Result<&[T]> {
        self.complete()?;
        let array = self.find(&"Plan::get", id)?;
        // SAFETY: `ArrayId<T>` is made with an array of `T`; the plan is idle, and starting it or writing to the array
        // needs `&mut self`.
        Ok(unsafe { array.slice() })
    }

    /// The whole array, to be written.
    ///
    /// # Errors
    /// As [`get`](Plan::get).
    pub fn get_mut<T>(&mut self, id: ArrayId<T>) -> Result<&mut [T]> {
        self.complete()?;
        let array = self.find(&"Plan::get_mut", id)?;
        // SAFETY: `ArrayId<T>` is made with an array of `T` of the plan's own, or lent exclusively; the plan is idle and exclusively borrowed.
        Ok(unsafe { array.slice_mut() })
    }

    /// One array to be read, and another to be written.
    ///
    /// # Errors
    /// As [`get`](Plan::get); or the two are the same.
    pub fn get_pair<T, A, U>(&mut self, read: ArrayId<T, A>, write: ArrayId<U>) -> Result<(&[T], &mut [U])> {
        const CALL: Call = &"Plan::get_pair";
        self.complete()?;
        let (from, into) = (self.find(CALL, read)?, self.find(CALL, write)?);
        if read.index == write.index {
            return Err(Error::length(CALL, Argument::SamePair, read.index, self.arrays.len()));
        }
        // SAFETY: `ArrayId<T>` is made with an array of `T`; the plan is idle and exclusively borrowed.
        let from = unsafe { from.slice() };
        // SAFETY: as above, and another array than the first.
        Ok((from, unsafe { into.slice_mut() }))
    }

    /// How many operations a start starts. Those from and to nowhere do not count.
    pub fn operations(&self) -> usize {
        self.operations.len()
    }

    pub(super) fn find<T, A>(&self, call: Call, id: ArrayId<T, A>) -> Result<&Array> {
        let ours = if id.plan == self.number { self.arrays.get(id.index) } else { None };
        match ours.and_then(Option::as_ref) {
            Some(array) => Ok(array),
            None => Err(Error::length(call, Argument::PlanArray, id.index, self.arrays.len())),
        }
    }

    pub(super) fn count(&self) -> c_int {
        self.operations.len() as c_int // checked in `push`
    }

    /// Frees the requests of the operations that are chosen. The plan is idle.
    fn free_operations(&mut self, chosen: impl Fn(&Operation) -> bool) -> Result<()> {
        while let Some(i) = self.operations.iter().rposition(&chosen) {
            let slot = &self.slots.all()[i];
            if slot.get() != ffi::MPI_REQUEST_NULL {
                // SAFETY: an inactive persistent handle, which leaves the plan below.
                check(FREE, unsafe { ffi::MPI_Request_free(slot.as_ptr()) })?;
            }
            self.slots.remove(i); // in order: what is started first is matched first
            self.statuses.remove(i);
            self.copying -= usize::from(self.operations.remove(i).copies());
        }
        Ok(())
    }
}

impl<H> Drop for Plan<'_, H> {
    fn drop(&mut self) {
        if !self.is_over() {
            mem::forget(mem::take(&mut self.operations)); // what is kept for collectives, such as their counts
            return; // leaks arrays of its own, which MPI uses; those of a scope are the scope's business
        }
        if live(WAITALL).is_ok()
            && let Err(error) = self.free_operations(|_| true)
        {
            report(format_args!("requests of a plan could not be freed: {error}"));
            mem::forget(mem::take(&mut self.operations));
        }
        for array in self.arrays.drain(..).flatten() {
            // SAFETY: the plan is idle, and its requests are freed or will never be started.
            unsafe { array.free() };
        }
    }
}

impl<H> fmt::Debug for Plan<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("arrays", &self.arrays.iter().flatten().count())
            .field("operations", &self.operations.len())
            .field("active", &self.is_busy())
            .finish_non_exhaustive()
    }
}
