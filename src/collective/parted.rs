//! What the w forms are given, checked: a buffer of any type and layout for each rank.
#![allow(unsafe_code)]

use super::agree::Terms;
use super::describe::{Counted, described};
use super::forms::{Described, NO_INFO, Names, needed};
use super::pairs::Each;
use super::shapes::{AlltoallwForms, NeighborAlltoallwForms};
use crate::buffer::{Table, apart};
use crate::comm::Communicator;
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Aint, MPI_Comm, MPI_Datatype, MPI_Request};
use crate::request::Kept;
use crate::topology::Neighbors;
use std::any::Any;
use std::os::raw::{c_int, c_void};
use std::rc::Rc;

/// One side of it. The arrays live as long as the [`Table`] they are of.
struct Side<D> {
    ptr: *mut c_void,
    counts: *const c_int,
    displs: *const D,
    types: *const MPI_Datatype,
}

impl<D> Side<D> {
    #[inline]
    fn new(call: Call, table: &Table, displs: *const D, ranks: usize) -> Result<Self> {
        let (ptr, counts, types) = table.arrays(call, ranks)?;
        Ok(Side { ptr, counts, displs, types })
    }

    #[inline(always)]
    fn each(&self) -> Each {
        Each::Typed(self.counts, self.types)
    }
}

/// Whether the library may look at as many types as there are neighbours (fault `topology-types`, of the nonblocking form).
const READS_BEYOND: bool = cfg!(any(mpi_abi = "openmpi", mpi_abi = "unknown"));

/// `MPI_Alltoallw`.
pub(crate) struct Parted {
    forms: &'static AlltoallwForms,
    send: Side<c_int>,
    recv: Side<c_int>,
    /// Longer arrays of types, where the library looks beyond the ends of those that it should be given.
    padded: Option<Rc<[Vec<MPI_Datatype>; 2]>>,
}
described!(
    Parted,
    |d|, () in () => d.send.ptr,
    d.send.counts,
    d.send.displs,
    d.send.types,
    d.recv.ptr,
    d.recv.counts,
    d.recv.displs,
    d.recv.types;
    kept d.padded.clone().map(|types| types as Rc<dyn Any>);
    terms Terms::pairs(d.send.each(), d.recv.each())
);

impl Parted {
    #[inline]
    pub(crate) fn new(
        forms: &'static AlltoallwForms,
        send: &Table,
        recv: &Table,
        comm: &Communicator,
    ) -> Result<Self> {
        let mut described = Self::described(forms, send, recv, comm)?;
        described.recv.ptr = apart(described.send.ptr, described.recv.ptr);
        Ok(described)
    }

    #[inline]
    fn described(
        forms: &'static AlltoallwForms,
        send: &Table,
        recv: &Table,
        comm: &Communicator,
    ) -> Result<Self> {
        let (call, ranks) = (forms.names.now(), comm.size());
        let from = Side::new(call, send, send.displs(), ranks)?;
        let to = Side::new(call, recv, recv.displs(), ranks)?;
        let described = Parted { forms, send: from, recv: to, padded: None };
        match comm.topology() {
            Some(neighbors) if READS_BEYOND && neighbors.dests.max(neighbors.sources) > ranks => {
                Ok(described.padded(send, recv, neighbors))
            }
            _ => Ok(described),
        }
    }

    /// With types for as many as are neighbours.
    #[cold]
    fn padded(mut self, send: &Table, recv: &Table, neighbors: Neighbors) -> Self {
        let types = Rc::new([send.padded_types(neighbors.dests), recv.padded_types(neighbors.sources)]);
        (self.send.types, self.recv.types) = (types[0].as_ptr(), types[1].as_ptr());
        Parted { padded: Some(types), ..self }
    }

    /// What arrives takes the place of what is sent.
    #[inline]
    pub(crate) fn in_place(
        forms: &'static AlltoallwForms,
        both: &Table,
        comm: &Communicator,
    ) -> Result<Self> {
        let described = Self::described(forms, both, both, comm)?;
        Ok(Parted { send: Side { ptr: ffi::MPI_IN_PLACE, ..described.send }, ..described })
    }
}

/// `MPI_Neighbor_alltoallw`.
pub(crate) struct NeighborParted {
    forms: &'static NeighborAlltoallwForms,
    send: Side<MPI_Aint>,
    recv: Side<MPI_Aint>,
}
described!(
    NeighborParted,
    |d|, () in () => d.send.ptr,
    d.send.counts,
    d.send.displs,
    d.send.types,
    d.recv.ptr,
    d.recv.counts,
    d.recv.displs,
    d.recv.types;
    terms Terms::pairs(d.send.each(), d.recv.each())
);

impl NeighborParted {
    /// A part goes to each of `dests`, and one comes from each of `sources`.
    #[inline]
    pub(crate) fn new(
        forms: &'static NeighborAlltoallwForms,
        send: &Table,
        recv: &Table,
        (dests, sources): (usize, usize),
    ) -> Result<Self> {
        let call = forms.names.now();
        let send = Side::new(call, send, send.wide_displs(), dests)?;
        let mut recv = Side::new(call, recv, recv.wide_displs(), sources)?;
        recv.ptr = apart(send.ptr, recv.ptr);
        Ok(NeighborParted { forms, send, recv })
    }
}
