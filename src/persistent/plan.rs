//! The plan: arrays, and the operations on blocks of them that are started together.
#![allow(unsafe_code)]

use super::array::{Array, ArrayId};
use super::block::{Block, Place, Shape};
use super::flight::Flight;
use crate::buffer::{Region, SendBuf};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype};
use crate::environment::{live, report};
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Request, check};
use crate::p2p::{Destination, Source, Tag, TagPattern};
use crate::scope::Slot;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

const STARTALL: Call = &"MPI_Startall";
const WAITALL: Call = &"MPI_Waitall";

/// Whether MPI may be using the arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Idle,
    Active,
    /// Idle, and nobody has seen yet that an operation failed.
    Failed,
}

/// One persistent operation: all that is needed to make its request.
pub(super) struct Operation {
    call: Call,
    receives: bool,
    array: usize,
    place: Place,
    /// Describes the place, for the element type of the array.
    region: fn(&Array, Place) -> Result<Region>,
    peer: c_int,
    tag: c_int,
}

/// Persistent sends and receives on blocks of several arrays, started and completed together.
///
/// The plan owns its arrays, whose element types may differ: [`array`](Plan::array) and [`grid`](Plan::grid) take a
/// `Vec` and give an [`ArrayId`], [`take`](Plan::take) gives the `Vec` back. Between steps an array is read and written
/// as a whole ([`get`](Plan::get), [`get_mut`](Plan::get_mut)), in flight block by block ([`Flight`]).
///
/// Dropping a plan waits for what is in flight, then frees requests and arrays. While a thread panics nothing waits:
/// arrays that MPI still uses are leaked. So is everything of a plan that is forgotten.
///
/// See the [module](super) for an example.
pub struct Plan<'c> {
    comm: &'c Communicator,
    number: u64,
    /// Taken arrays leave a hole: an index is never used again.
    arrays: Vec<Option<Array>>,
    /// The persistent handles, in the order in which they are started.
    pub(super) slots: Vec<Slot>,
    /// For each of them, what it is the request of.
    pub(super) operations: Vec<Operation>,
    pub(super) state: Cell<State>,
    /// What failed in a flight that was dropped: the next use of the plan says so.
    pub(super) unseen: Cell<Option<Error>>,
    /// `MPI_Request` is an `int` with one library and a pointer with another; ours never changes threads.
    _thread: PhantomData<*const ()>,
}

impl<'c> Plan<'c> {
    /// A plan without arrays and operations. Makes no MPI call.
    pub fn new(comm: &'c Communicator) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        Plan {
            comm,
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            arrays: Vec::new(),
            slots: Vec::new(),
            operations: Vec::new(),
            state: Cell::new(State::Idle),
            unseen: Cell::new(None),
            _thread: PhantomData,
        }
    }

    /// Takes an array of one row: its blocks are ranges of its elements.
    ///
    /// `T` must be receivable ([`AnyBits`]) only where a block is received.
    pub fn array<T: Datatype>(&mut self, elements: impl Into<Vec<T>>) -> ArrayId<T> {
        let elements = elements.into();
        let shape = Shape::row(elements.len());
        self.add(elements, shape)
    }

    /// Takes a row-major array of `rows` x `cols` elements.
    ///
    /// # Errors
    /// The number of elements is another; they are then dropped.
    pub fn grid<T: Datatype>(
        &mut self,
        elements: impl Into<Vec<T>>,
        rows: usize,
        cols: usize,
    ) -> Result<ArrayId<T>> {
        let elements = elements.into();
        let shape = Shape::new(&"MPI_Recv_init", elements.len(), rows, cols)?;
        Ok(self.add(elements, shape))
    }

    fn add<T: Datatype>(&mut self, elements: Vec<T>, shape: Shape) -> ArrayId<T> {
        self.arrays.push(Some(Array::new(elements, shape)));
        ArrayId::new(self.number, self.arrays.len() - 1)
    }

    /// Adds a receive into a block, which may overlap no other block of the plan.
    ///
    /// `MPI_Recv_init` (MPI 4.1 §3.9). From nowhere (`None`) nothing is received; the block is reserved all the same, so
    /// that ranks at the edge of a grid make the same plan as the others. A message shorter than the block leaves the
    /// rest as it was.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, or overlaps another; the source or the tag is out
    /// of range; or what MPI reports.
    #[doc(alias = "MPI_Recv_init")]
    pub fn recv<T: AnyBits>(
        &mut self,
        id: ArrayId<T>,
        block: impl Into<Block>,
        source: impl Into<Source>,
        tag: impl Into<TagPattern>,
    ) -> Result<&mut Self> {
        const CALL: Call = &"MPI_Recv_init";
        self.complete()?;
        let (source, block) = (source.into(), block.into());
        let nowhere = source.is_nowhere();
        let (source, tag) = (source.raw(CALL, self.comm.peers())?, tag.into().raw(CALL)?);
        let array = self.find(CALL, id)?;
        let place = array.place(CALL, &block)?;
        array.not_used(CALL, &block)?;
        if !nowhere {
            let (array, region) = (id.index, region::<T>);
            self.push(Operation { call: CALL, receives: true, array, place, region, peer: source, tag })?;
        }
        self.arrays[id.index].as_mut().expect("found above").add_receive(block);
        Ok(self)
    }

    /// Adds a send of a block, which may overlap blocks that are sent, but none that is received.
    ///
    /// `MPI_Send_init` (MPI 4.1 §3.9). To nowhere (`None`) nothing is sent.
    ///
    /// # Errors
    /// The id is not of this plan; the block is not inside the array, or overlaps a received one; the destination or the
    /// tag is out of range; or what MPI reports.
    #[doc(alias = "MPI_Send_init")]
    pub fn send<T: Datatype>(
        &mut self,
        id: ArrayId<T>,
        block: impl Into<Block>,
        dest: impl Into<Destination>,
        tag: impl Into<Tag>,
    ) -> Result<&mut Self> {
        const CALL: Call = &"MPI_Send_init";
        self.complete()?;
        let (dest, block) = (dest.into(), block.into());
        let nowhere = dest.is_nowhere();
        let (dest, tag) = (dest.raw(CALL, self.comm.peers())?, tag.into().raw(CALL)?);
        let array = self.find(CALL, id)?;
        let place = array.place(CALL, &block)?;
        array.not_received(CALL, &block)?;
        if !nowhere {
            let (array, region) = (id.index, region::<T>);
            self.push(Operation { call: CALL, receives: false, array, place, region, peer: dest, tag })?;
        }
        self.arrays[id.index].as_mut().expect("found above").add_send(block);
        Ok(self)
    }

    /// Makes the request of an operation and keeps its handle.
    fn push(&mut self, operation: Operation) -> Result<()> {
        let count = self.slots.len() + 1;
        if c_int::try_from(count).is_err() {
            return Err(Error::length(operation.call, Argument::Operations, count, c_int::MAX as usize));
        }
        let handle = self.init(&operation)?;
        self.slots.push(Cell::new(handle));
        self.operations.push(operation);
        Ok(())
    }

    /// `MPI_Recv_init` or `MPI_Send_init`.
    pub(super) fn init(&self, operation: &Operation) -> Result<MPI_Request> {
        let &Operation { call, receives, array, place, region, peer, tag } = operation;
        let array = self.arrays[array].as_ref().expect("an array leaves the plan after its operations");
        let region = region(array, place)?;
        let (comm, mut handle) = (self.comm.raw(), ffi::MPI_REQUEST_NULL);
        // MPI keeps the derived types of its requests (MPI 4.1 §5.1.9), so those of a view may leave their table.
        region.call(call, |count, datatype| {
            let request = &raw mut handle;
            if receives {
                // SAFETY: a block inside an array that is freed only when no request refers to it, that overlaps no other,
                // and that is used only while the plan is idle; peer and tag were checked; the communicator is borrowed.
                unsafe { ffi::MPI_Recv_init(region.ptr, count, datatype, peer, tag, comm, request) }
            } else {
                // SAFETY: as above; the elements are initialized, and not written while the plan is active.
                unsafe { ffi::MPI_Send_init(region.ptr, count, datatype, peer, tag, comm, request) }
            }
        })?;
        Ok(handle)
    }

    /// Starts all operations.
    ///
    /// `MPI_Startall` (MPI 4.1 §3.9), once. Waits first if the last [`Flight`] was forgotten.
    ///
    /// # Errors
    /// What MPI reports, also of an earlier flight that was dropped. If some operations were started and some not, the
    /// plan waits for the former before its next use.
    #[doc(alias = "MPI_Startall")]
    #[inline(always)]
    pub fn start(&mut self) -> Result<Flight<'_, 'c>> {
        self.complete()?;
        live(STARTALL)?;
        self.state.set(State::Active); // before the call: it may start some and then fail
        // SAFETY: inactive persistent handles; MPI may use the blocks until `complete` has found all of them complete.
        check(STARTALL, unsafe { ffi::MPI_Startall(self.count(), self.handles()) })?;
        Ok(Flight::new(self))
    }

    /// The whole array.
    ///
    /// # Errors
    /// The id is not of this plan; or what MPI reports of a flight that was dropped or forgotten, which is completed
    /// first.
    pub fn get<T>(&self, id: ArrayId<T>) -> Result<&[T]> {
        self.complete()?;
        let array = self.find(STARTALL, id)?;
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
        let array = self.find(STARTALL, id)?;
        // SAFETY: `ArrayId<T>` is made with an array of `T`; the plan is idle and exclusively borrowed.
        Ok(unsafe { array.slice_mut() })
    }

    /// One array to be read, and another to be written.
    ///
    /// # Errors
    /// As [`get`](Plan::get); or the two are the same.
    pub fn get_pair<T, U>(&mut self, read: ArrayId<T>, write: ArrayId<U>) -> Result<(&[T], &mut [U])> {
        self.complete()?;
        let (from, into) = (self.find(STARTALL, read)?, self.find(STARTALL, write)?);
        if read.index == write.index {
            return Err(Error::length(STARTALL, Argument::SamePair, read.index, self.arrays.len()));
        }
        // SAFETY: `ArrayId<T>` is made with an array of `T`; the plan is idle and exclusively borrowed.
        let from = unsafe { from.slice() };
        // SAFETY: as above, and another array than the first.
        Ok((from, unsafe { into.slice_mut() }))
    }

    /// Gives an array back, and removes its operations from the plan.
    ///
    /// `MPI_Request_free` (MPI 4.1 §3.7.3) for each of them.
    ///
    /// # Errors
    /// The id is not of this plan; or what MPI reports: the array then stays in the plan.
    #[doc(alias = "MPI_Request_free")]
    pub fn take<T>(&mut self, id: ArrayId<T>) -> Result<Vec<T>> {
        self.complete()?;
        live(STARTALL)?;
        self.find(STARTALL, id)?;
        self.free_operations(|array| array == id.index)?;
        let array = self.arrays[id.index].take().expect("found above");
        // SAFETY: `ArrayId<T>` is made with an array of `T`; the plan is idle, and no request refers to the array.
        Ok(unsafe { array.into_vec() })
    }

    /// How many operations a start starts. Those from and to nowhere do not count.
    pub fn operations(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn find<T>(&self, call: Call, id: ArrayId<T>) -> Result<&Array> {
        let ours = if id.plan == self.number { self.arrays.get(id.index) } else { None };
        match ours.and_then(Option::as_ref) {
            Some(array) => Ok(array),
            None => Err(Error::length(call, Argument::PlanArray, id.index, self.arrays.len())),
        }
    }

    pub(super) fn count(&self) -> c_int {
        self.slots.len() as c_int // checked in `init`
    }

    /// The handles, as MPI takes them. `Cell<MPI_Request>` has the layout of `MPI_Request` and may be written through.
    pub(super) fn handles(&self) -> *mut MPI_Request {
        self.slots.as_ptr().cast_mut().cast()
    }

    /// Frees the requests of the arrays that are chosen. The plan is idle.
    fn free_operations(&mut self, chosen: impl Fn(usize) -> bool) -> Result<()> {
        const FREE: Call = &"MPI_Request_free";
        while let Some(i) = self.operations.iter().rposition(|operation| chosen(operation.array)) {
            if self.slots[i].get() != ffi::MPI_REQUEST_NULL {
                // SAFETY: an inactive persistent handle, which leaves the plan below.
                check(FREE, unsafe { ffi::MPI_Request_free(self.slots[i].as_ptr()) })?;
            }
            self.slots.remove(i); // in order: what is started first is matched first
            self.operations.remove(i);
        }
        Ok(())
    }
}

/// A block's elements, as MPI wants them described.
fn region<T: Datatype>(array: &Array, place: Place) -> Result<Region> {
    // SAFETY: made for the `T` of its id; the view is described and never used.
    SendBuf::region(&unsafe { array.view_mut::<T>(place) })
}

impl Drop for Plan<'_> {
    fn drop(&mut self) {
        if !self.is_over() {
            return; // leaks the arrays: MPI uses them
        }
        if live(WAITALL).is_ok()
            && let Err(error) = self.free_operations(|_| true)
        {
            report(format_args!("requests of a plan could not be freed: {error}"));
        }
        for array in self.arrays.drain(..).flatten() {
            // SAFETY: the plan is idle, and its requests are freed or will never be started.
            unsafe { array.free() };
        }
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("arrays", &self.arrays.iter().flatten().count())
            .field("operations", &self.slots.len())
            .field("active", &(self.state.get() == State::Active))
            .finish_non_exhaustive()
    }
}
