//! MPI 4.1's looks at several requests, or what stands for them where the library has none.
#![allow(unsafe_code)]

use crate::error::{Error, Needs, Result};
use crate::ffi::Call;

#[cfg(mpi_has = "MPI_Request_get_status_any")]
pub(super) use crate::ffi::{
    MPI_Request_get_status_all, MPI_Request_get_status_any, MPI_Request_get_status_some,
};
#[cfg(not(mpi_has = "MPI_Request_get_status_any"))]
pub(super) use absent::{
    MPI_Request_get_status_all, MPI_Request_get_status_any, MPI_Request_get_status_some,
};

/// `Err` before MPI 4.1, which brought all three functions.
pub(super) fn supported(call: Call) -> Result<()> {
    match cfg!(mpi_has = "MPI_Request_get_status_any") {
        true => Ok(()),
        false => Err(Error::unsupported(call, Needs::Standard(4, 1))),
    }
}

/// What stands for the functions where the library has none; never called.
#[cfg(not(mpi_has = "MPI_Request_get_status_any"))]
#[allow(non_snake_case, reason = "C's names")]
mod absent {
    use crate::ffi::{MPI_ERR_UNSUPPORTED_OPERATION, MPI_Request, MPI_Status};
    use std::os::raw::c_int;

    pub(in super::super) unsafe fn MPI_Request_get_status_any(
        _: c_int,
        _: *const MPI_Request,
        _: *mut c_int,
        _: *mut c_int,
        _: *mut MPI_Status,
    ) -> c_int {
        MPI_ERR_UNSUPPORTED_OPERATION
    }
    pub(in super::super) unsafe fn MPI_Request_get_status_some(
        _: c_int,
        _: *const MPI_Request,
        _: *mut c_int,
        _: *mut c_int,
        _: *mut MPI_Status,
    ) -> c_int {
        MPI_ERR_UNSUPPORTED_OPERATION
    }
    pub(in super::super) unsafe fn MPI_Request_get_status_all(
        _: c_int,
        _: *const MPI_Request,
        _: *mut c_int,
        _: *mut MPI_Status,
    ) -> c_int {
        MPI_ERR_UNSUPPORTED_OPERATION
    }
}
