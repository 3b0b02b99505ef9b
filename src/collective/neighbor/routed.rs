//! A neighbourhood all-to-all as an all-to-all of the whole grid, for libraries that swap the two directions of a
//! dimension in which both neighbours are one process (faults `neighbor-alltoall-short-ring` and its kin).
//!
//! Both processes list what goes between them in the order in which the sender numbers its blocks, in one datatype. So
//! nothing depends on how a library matches two messages between the same pair.
#![allow(unsafe_code)]

use crate::buffer::{Counts, Fitted, Region, Table};
use crate::collective::agree::Terms;
use crate::collective::forms::{Described, NO_INFO, Names, needed};
use crate::collective::table::ALLTOALLW;
use crate::comm::{Communicator, Users};
use crate::datatype::{Datatype, whole};
use crate::environment::live;
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Aint, MPI_Comm, MPI_Datatype, MPI_Request, check};
use crate::request::Kept;
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::rc::Rc;

/// What goes to a neighbour, or comes from one: elements, so many bytes from the start of the buffer.
pub(super) struct Edge {
    at: MPI_Aint,
    block: Fitted,
}

impl Edge {
    /// `len` elements of a buffer, from `start` on.
    fn new<T: Datatype>(call: Call, start: usize, len: usize) -> Result<Self> {
        let count = if T::UNITS == 0 { 0 } else { len };
        let elements = Region { ptr: ptr::null_mut(), len, count, datatype: whole::<T>(call)? };
        // A block that has elements is inside the buffer, so nothing overflows; where an empty one lies does not matter.
        let at = if count == 0 { 0 } else { (start * size_of::<T>()) as MPI_Aint };
        Ok(Edge { at, block: elements.fit(call)? })
    }

    /// Parts of any type and layout.
    pub(super) fn parts(table: &Table) -> Vec<Self> {
        table.parts().map(|(at, block)| Edge { at, block }).collect()
    }

    /// One of equal length for each of `n` neighbours.
    pub(super) fn equal<T: Datatype>(call: Call, len: usize, n: usize) -> Result<Vec<Self>> {
        (0..n).map(|i| Edge::new::<T>(call, i * len, len)).collect()
    }

    /// One for each neighbour, as the counts say.
    pub(super) fn varied<T: Datatype>(call: Call, counts: &Counts) -> Result<Vec<Self>> {
        (0..counts.len()).map(|i| Edge::new::<T>(call, counts.range(i).start, counts.get(i))).collect()
    }
}

/// Arguments of `MPI_Alltoallw` that do what a neighbourhood all-to-all should.
pub(crate) struct Routed {
    names: &'static Names,
    /// Those of the call that it stands for.
    terms: Terms,
    routes: Rc<Routes>,
}

/// What MPI keeps of them until completion.
struct Routes {
    send: Side,
    recv: Side,
    /// The types are freed while MPI is live.
    _user: Users,
}

/// Buffer, and for each rank of the grid the type that finds its blocks there.
struct Side {
    buf: *mut c_void,
    counts: Vec<c_int>,
    displs: Vec<c_int>,
    types: Vec<MPI_Datatype>,
}

impl Routed {
    /// A block for each neighbour of a grid, out and in; the edges were checked against the buffers.
    pub(super) fn new(
        (names, terms): (&'static Names, Terms),
        comm: &Communicator,
        (send, mut out): (*mut c_void, Vec<Edge>),
        (recv, into): (*mut c_void, Vec<Edge>),
    ) -> Result<Self> {
        live(names.now())?; // what follows asks MPI before the call that it is for
        let ranks = grid_neighbors(comm, out.len())?;
        // What a process sends along its edge `k` arrives on the opposite one of the same dimension, `k ^ 1`: so that is the
        // order in which the sender's blocks are listed here.
        for pair in out.chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
        let mut opposite = ranks.clone();
        opposite.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
        let send = Side::new(comm.size(), send, &opposite, &out)?;
        let recv = Side::new(comm.size(), recv, &ranks, &into)?;
        Ok(Routed { names, terms, routes: Rc::new(Routes { send, recv, _user: comm.user() }) })
    }
}

impl Side {
    /// `peers` and `edges` are in the order in which both ends of an edge list it.
    fn new(ranks: usize, buf: *mut c_void, peers: &[Option<usize>], edges: &[Edge]) -> Result<Self> {
        // As many types as there are neighbours, if they are more than ranks: Open MPI 4.1 looks at so many (fault
        // `topology-types`).
        let types = vec![ffi::MPI_BYTE; ranks.max(edges.len())];
        let mut side = Side { buf, counts: vec![0; ranks], displs: vec![0; ranks], types };
        for rank in peers.iter().flatten().copied() {
            if side.counts[rank] == 0 {
                let shared =
                    peers.iter().zip(edges).filter(|(peer, _)| **peer == Some(rank)).map(|(_, edge)| edge);
                if let Some(datatype) = listed(shared)? {
                    (side.counts[rank], side.types[rank]) = (1, datatype);
                }
            }
        }
        Ok(side)
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        if live(&"MPI_Type_free").is_err() {
            return; // the host program has ended MPI, and the types with it
        }
        for (datatype, _) in self.types.iter_mut().zip(&self.counts).filter(|(_, count)| **count > 0) {
            // SAFETY: a type that `listed` has made, freed once; MPI is live.
            unsafe { ffi::MPI_Type_free(datatype) };
        }
    }
}

/// One committed type of all these blocks; `None` if there is nothing in them: a datatype without size would be a trap
/// (fault `zero-size-receive`).
fn listed<'a>(edges: impl Iterator<Item = &'a Edge>) -> Result<Option<MPI_Datatype>> {
    let (mut lengths, mut places, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for Edge { at, block } in edges.filter(|edge| edge.block.count > 0) {
        lengths.push(block.count);
        places.push(*at);
        types.push(block.datatype);
    }
    if lengths.is_empty() {
        return Ok(None);
    }
    let (blocks, mut datatype) = (lengths.len() as c_int, ffi::MPI_DATATYPE_NULL);
    // SAFETY: three arrays of as many entries; valid types; nothing is accessed here.
    let code = unsafe {
        ffi::MPI_Type_create_struct(
            blocks,
            lengths.as_ptr(),
            places.as_ptr(),
            types.as_ptr(),
            &raw mut datatype,
        )
    };
    check(&"MPI_Type_create_struct", code)?;
    // SAFETY: a type we have just made.
    check(&"MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&raw mut datatype) })?;
    Ok(Some(datatype))
}

/// The `n` neighbours in a grid; `None` beyond an edge.
pub(crate) fn grid_neighbors(comm: &Communicator, n: usize) -> Result<Vec<Option<usize>>> {
    let mut ranks = Vec::with_capacity(n);
    for dimension in 0..n / 2 {
        let (mut low, mut high) = (0, 0);
        // SAFETY: a dimension of a cartesian communicator, which has two neighbours in each; the out-arguments are ours.
        let code =
            unsafe { ffi::MPI_Cart_shift(comm.raw(), dimension as c_int, 1, &raw mut low, &raw mut high) };
        check(&"MPI_Cart_shift", code)?;
        // `MPI_PROC_NULL` is negative with every library.
        ranks.extend([low, high].map(|rank| usize::try_from(rank).ok()));
    }
    Ok(ranks)
}

/// Makes one of the calls.
macro_rules! alltoallw {
    ($routed:ident, $function:expr, $($more:expr),*) => {{
        let Routes { send: s, recv: r, .. } = &*$routed.routes;
        $function(
            s.buf, s.counts.as_ptr(), s.displs.as_ptr(), s.types.as_ptr(),
            r.buf, r.counts.as_ptr(), r.displs.as_ptr(), r.types.as_ptr(),
            $($more),*
        )
    }};
}

impl Described for Routed {
    fn names(&self) -> &'static Names {
        self.names
    }
    unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
        // SAFETY: this function's contract; one count, displacement and type for each rank.
        check(self.names.now(), unsafe { alltoallw!(self, (ALLTOALLW.now), comm) })
    }
    unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        // SAFETY: as above; the arrays and types are kept until completion (`kept`).
        check(self.names.start(), unsafe { alltoallw!(self, (ALLTOALLW.start), comm, request) })
    }
    unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        let init = needed(self.names, ALLTOALLW.init)?;
        // SAFETY: as above, until the request is freed.
        check(&self.names.init.call, unsafe { alltoallw!(self, init, comm, NO_INFO, request) })
    }
    fn terms(&self) -> Terms {
        self.terms
    }
    fn kept(&self) -> Kept {
        Some(self.routes.clone())
    }
}
