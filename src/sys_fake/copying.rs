//! What a collective of one rank does: its input becomes its result, and what it was given besides must stay.

use super::abi::*;
use super::layout::{Block, Memory};
use super::op::Combining;
use super::process::{Process, enter};
use super::traffic::Traffic;
use std::os::raw::{c_int, c_void};
use std::sync::MutexGuard;

/// Calls that pass before a nonblocking collective moves on.
const IDLE: u32 = 2;

/// A collective, described: it can be made at once, be in flight, or be started again and again.
#[derive(Clone, Debug)]
pub(super) struct Copying {
    pub from: Memory,
    /// None where the input is only read.
    pub into: Option<Memory>,
    /// Counts, displacements and types.
    pub kept: Vec<Kept>,
    pub combining: Option<Combining>,
}

/// An array of the caller that MPI may read as long as the operation is in flight: it reads it all the time.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    at: *const u8,
    bytes: Vec<u8>,
}

impl Kept {
    /// # Safety
    /// `n` initialized values, until the operation is complete.
    unsafe fn new<T>(at: *const T, n: usize) -> Self {
        let mut kept = Kept { at: at.cast(), bytes: Vec::new() };
        kept.bytes = (0..n * size_of::<T>()).map(|i| kept.read(i)).collect();
        kept
    }

    fn read(&self, i: usize) -> u8 {
        // SAFETY: inside the array (`new`), whose operation is not complete.
        unsafe { self.at.wrapping_add(i).read() }
    }

    pub(super) fn look(&self) {
        let same = self.bytes.iter().enumerate().all(|(i, byte)| self.read(i) == *byte);
        assert!(same, "fake MPI: counts, displacements or types changed in flight");
    }
}

/// Which block of the input goes to which of the result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Routes {
    /// One rank has itself.
    One,
    /// The one block goes to every neighbour.
    Spread,
    /// Each neighbour has a block: what goes down comes from above.
    Pairs,
}

/// A collective call that is being described.
pub(super) struct Call {
    pub process: MutexGuard<'static, Process>,
    comm: MPI_Comm,
    routes: Vec<(usize, usize)>,
    /// How long arrays are.
    ranks: usize,
    kept: Vec<Kept>,
}

/// Memory and the blocks in it.
pub(super) type Side = (*const c_void, Vec<Block>);

impl Call {
    #[track_caller]
    pub(super) fn begin(name: &str, comm: MPI_Comm, routes: Routes) -> Self {
        let mut process = enter(name);
        let known = process.comm(comm);
        let (routes, ranks) = match (routes, &known.grid) {
            (Routes::One, _) => (vec![(0, 0)], 1),
            (_, None) => panic!("fake MPI: {name} without neighbours"),
            (kind, Some(grid)) => (grid.routes(kind == Routes::Spread), grid.neighbours()),
        };
        Call { process, comm, routes, ranks, kept: Vec::new() }
    }

    pub(super) fn root(&self, root: c_int) {
        assert!(root == 0, "fake MPI: root {root} of one rank");
    }

    /// Blocks of equal length, one after the other.
    pub(super) fn equal(&self, count: impl TryInto<usize>, datatype: MPI_Datatype) -> Vec<Block> {
        let (count, layout) = (unsigned(count), self.process.layout(datatype));
        let apart = count as isize * layout.extent();
        (0..self.ranks.max(1) as isize)
            .map(|i| Block { at: i * apart, count, layout: layout.clone() })
            .collect()
    }

    /// Keeps an array with an entry for each rank.
    ///
    /// # Safety
    /// There are so many values, until the operation is complete.
    unsafe fn array<T: Copy>(&mut self, at: *const T) -> Vec<T> {
        // SAFETY: this function's contract.
        self.kept.push(unsafe { Kept::new(at, self.ranks) });
        // SAFETY: as above.
        (0..self.ranks).map(|i| unsafe { at.wrapping_add(i).read() }).collect()
    }

    /// Counts alone: blocks one after the other.
    ///
    /// # Safety
    /// As `array`.
    pub(super) unsafe fn counted<C: TryInto<usize> + Copy>(
        &mut self,
        counts: *const C,
        datatype: MPI_Datatype,
    ) -> Vec<Block> {
        // SAFETY: this function's contract.
        let counts = unsafe { self.array(counts) };
        self.equal(counts[0], datatype)
    }

    /// A block for each rank; displacements in elements.
    ///
    /// # Safety
    /// As `array`.
    pub(super) unsafe fn varied<C: TryInto<usize> + Copy, D: TryInto<isize> + Copy>(
        &mut self,
        counts: *const C,
        displs: *const D,
        datatype: MPI_Datatype,
    ) -> Vec<Block> {
        // SAFETY: this function's contract.
        let counts = unsafe { self.array(counts) };
        // SAFETY: this function's contract.
        let displs = unsafe { self.array(displs) };
        let layout = self.process.layout(datatype);
        let block = |(count, displ)| Block {
            at: signed(displ) * layout.extent(),
            count: unsigned(count),
            layout: layout.clone(),
        };
        counts.into_iter().zip(displs).map(block).collect()
    }

    /// A block of a type of its own for each rank; displacements in bytes.
    ///
    /// # Safety
    /// As `array`.
    pub(super) unsafe fn typed<D: TryInto<isize> + Copy>(
        &mut self,
        counts: *const c_int,
        displs: *const D,
        types: *const MPI_Datatype,
    ) -> Vec<Block> {
        // SAFETY: this function's contract.
        let counts = unsafe { self.array(counts) };
        // SAFETY: this function's contract.
        let displs = unsafe { self.array(displs) };
        // SAFETY: this function's contract.
        let types = unsafe { self.array(types) };
        let block = |(i, count)| Block {
            at: signed(displs[i]),
            count: unsigned(count),
            layout: self.process.layout(types[i]),
        };
        counts.into_iter().enumerate().map(block).collect()
    }

    /// What goes where. `MPI_IN_PLACE` as input: the result's memory, which is written with what it holds.
    ///
    /// # Safety
    /// The first memory may be read, the second read and written, until the operation is complete.
    pub(super) unsafe fn exchange(&mut self, (send, sent): Side, (recv, received): Side) -> Copying {
        let memory = |base, blocks: &[Block], which: fn(&(usize, usize)) -> usize| {
            // SAFETY: this function's contract.
            unsafe { Memory::joined(base, self.routes.iter().map(|route| &blocks[which(route)])) }
        };
        let (from, into) = if send == MPI_IN_PLACE.cast_const() {
            let both = memory(recv, &received, |route| route.1);
            (both.clone(), Some(both))
        } else if recv == MPI_IN_PLACE.cast_const() {
            (memory(send, &sent, |route| route.0), None)
        } else {
            (memory(send, &sent, |route| route.0), Some(memory(recv, &received, |route| route.1)))
        };
        Copying { from, into, kept: std::mem::take(&mut self.kept), combining: None }
    }

    /// Makes the call: everything moves at once.
    #[track_caller]
    pub(super) fn now(mut self, copying: Copying) -> c_int {
        let code = copying.code();
        (0..copying.bytes()).for_each(|byte| copying.step(byte));
        copying.finish();
        self.process.raise(self.comm.addr(), code)
    }

    /// # Safety
    /// An out-argument.
    pub(super) unsafe fn start(mut self, copying: Copying, request: *mut MPI_Request) -> c_int {
        let name = self.process.traffic.request(self.comm.addr());
        self.process.traffic.copy(name, copying, IDLE);
        self.process.traffic.step();
        // SAFETY: this function's contract.
        unsafe { request.write(handle(name)) };
        MPI_SUCCESS
    }

    /// # Safety
    /// An out-argument.
    pub(super) unsafe fn init(mut self, copying: Copying, request: *mut MPI_Request) -> c_int {
        let new = self.process.inactive(self.comm, super::persistent::Persistent::partitioned(false, 0));
        self.process.traffic.collectives.insert(new.addr(), copying);
        // SAFETY: this function's contract.
        unsafe { request.write(new) };
        MPI_SUCCESS
    }
}

impl Copying {
    pub(super) const NOTHING: Copying =
        Copying { from: Memory::NONE, into: None, kept: Vec::new(), combining: None };

    /// How many bytes move: never more than there is room for.
    pub(super) fn bytes(&self) -> usize {
        self.into.as_ref().map_or(usize::MAX, Memory::len).min(self.from.len())
    }

    pub(super) fn code(&self) -> c_int {
        if self.bytes() < self.from.len() { TRUNCATED } else { MPI_SUCCESS }
    }

    pub(super) fn step(&self, byte: usize) {
        let value = self.from.read(byte);
        if let Some(into) = &self.into {
            into.write(byte, value);
        }
    }

    /// The operation is done as the last thing, on copies, so that it is noticed if it is gone.
    pub(super) fn finish(&self) {
        if let Some(combining) = &self.combining {
            combining.apply((0..self.bytes()).map(|byte| self.from.read(byte)).collect());
        }
    }
}

impl Traffic {
    /// Starts a persistent collective, if the request is of one.
    pub(super) fn start_collective(&mut self, name: usize) -> bool {
        let found = self.collectives.get(&name).cloned();
        found.map(|copying| self.copy(name, copying, IDLE)).is_some()
    }
}

#[track_caller]
fn unsigned(n: impl TryInto<usize>) -> usize {
    n.try_into().ok().expect("fake MPI: a negative count")
}

#[track_caller]
fn signed(n: impl TryInto<isize>) -> isize {
    n.try_into().ok().expect("fake MPI: a displacement that is no address")
}
