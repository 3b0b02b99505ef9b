//! Neighbourhood collectives: every rank exchanges with its neighbours in a topology alone.
//!
//! In a grid they are, for each dimension, the rank at the lower coordinate, then the one at the higher. From beyond an
//! edge nothing comes: the block stays zeros, or the caller's own values.
//!
//! Standard: MPI 4.1, section 8.6 (Neighborhood Collective Communication on Virtual Topologies).
#![allow(unsafe_code)]

pub(crate) mod allgather;
pub(crate) mod allgatherv;
pub(crate) mod alltoall;
pub(crate) mod alltoallv;
pub(crate) mod alltoallw;
mod routed;

pub(super) use routed::grid_neighbors;

use super::agree::Terms;
use super::forms::{Described, Names};
use crate::error::Result;
use crate::ffi::{MPI_Comm, MPI_Request};
use crate::request::Kept;
use routed::Routed;

/// The library's own call, or what stands for it where its own is wrong.
pub(crate) enum Neighborly<D> {
    Direct(D),
    Routed(Routed),
}

impl<D: Described> Described for Neighborly<D> {
    #[inline(always)]
    fn names(&self) -> &'static Names {
        match self {
            Neighborly::Direct(direct) => direct.names(),
            Neighborly::Routed(routed) => routed.names(),
        }
    }
    #[inline(always)]
    unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Neighborly::Direct(direct) => unsafe { direct.now(comm) },
            // SAFETY: this function's contract.
            Neighborly::Routed(routed) => unsafe { routed.now(comm) },
        }
    }
    #[inline(always)]
    unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Neighborly::Direct(direct) => unsafe { direct.start(comm, request) },
            // SAFETY: this function's contract.
            Neighborly::Routed(routed) => unsafe { routed.start(comm, request) },
        }
    }
    unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
        match self {
            // SAFETY: this function's contract.
            Neighborly::Direct(direct) => unsafe { direct.init(comm, request) },
            // SAFETY: this function's contract.
            Neighborly::Routed(routed) => unsafe { routed.init(comm, request) },
        }
    }
    #[inline(always)]
    fn terms(&self) -> Terms {
        match self {
            Neighborly::Direct(direct) => direct.terms(),
            Neighborly::Routed(routed) => routed.terms(),
        }
    }
    #[inline(always)]
    fn kept(&self) -> Kept {
        match self {
            Neighborly::Direct(direct) => direct.kept(),
            Neighborly::Routed(routed) => routed.kept(),
        }
    }
}
