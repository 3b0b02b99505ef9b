//! What the w forms are given, checked: a buffer of any type and layout for each rank.
#![allow(unsafe_code)]

use super::describe::described;
use super::forms::{Described, NO_INFO, Names, init_code};
use super::shapes::{AlltoallwForms, NeighborAlltoallwForms};
use crate::buffer::Table;
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Aint, MPI_Comm, MPI_Datatype, MPI_Request, check};
use std::os::raw::{c_int, c_void};

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
}

/// `MPI_Alltoallw`.
pub(crate) struct Parted {
    forms: &'static AlltoallwForms,
    send: Side<c_int>,
    recv: Side<c_int>,
}
described!(
    Parted,
    |d| d.send.ptr,
    d.send.counts,
    d.send.displs,
    d.send.types,
    d.recv.ptr,
    d.recv.counts,
    d.recv.displs,
    d.recv.types
);

impl Parted {
    #[inline]
    pub(crate) fn new(
        forms: &'static AlltoallwForms,
        send: &Table,
        recv: &Table,
        ranks: usize,
    ) -> Result<Self> {
        let call = forms.names.now();
        let send = Side::new(call, send, send.displs(), ranks)?;
        Ok(Parted { forms, send, recv: Side::new(call, recv, recv.displs(), ranks)? })
    }

    /// What arrives takes the place of what is sent.
    #[inline]
    pub(crate) fn in_place(forms: &'static AlltoallwForms, both: &Table, ranks: usize) -> Result<Self> {
        let described = Self::new(forms, both, both, ranks)?;
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
    |d| d.send.ptr,
    d.send.counts,
    d.send.displs,
    d.send.types,
    d.recv.ptr,
    d.recv.counts,
    d.recv.displs,
    d.recv.types
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
        Ok(NeighborParted { forms, send, recv: Side::new(call, recv, recv.wide_displs(), sources)? })
    }
}
