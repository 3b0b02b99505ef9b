//! The functions of MPI 4.0's partitioned communication, or what stands for them where the library has none.
#![allow(unsafe_code)]

use crate::error::{Error, Needs, Result};
use crate::ffi::Call;

#[cfg(any(miri, mpi_has = "MPI_Psend_init"))]
pub(super) use crate::ffi::{
    MPI_Parrived, MPI_Pready, MPI_Pready_list, MPI_Pready_range, MPI_Precv_init, MPI_Psend_init,
};
#[cfg(not(any(miri, mpi_has = "MPI_Psend_init")))]
pub(super) use absent::*;

/// Why Open MPI's is not used.
const UNCHECKED: &str = "this Open MPI does not check the size of a partitioned message, and writes past the receive buffer \
     where the sender's is larger; use MPICH, or send the parts as messages of their own";

/// `Err` if the library has no partitioned communication, or none that is safe.
pub(super) fn available(call: Call) -> Result<()> {
    if cfg!(miri) {
        Ok(())
    } else if cfg!(not(mpi_has = "MPI_Psend_init")) {
        Err(Error::unsupported(call, Needs::Standard(4, 0)))
    } else if cfg!(mpi_abi = "openmpi") {
        // Measured with 5.0.11: 400,000 elements sent into 8 are all written, without an error.
        Err(Error::unsupported(call, Needs::Fault(&UNCHECKED)))
    } else {
        Ok(())
    }
}

/// Never called, since `available` comes first.
#[cfg(not(any(miri, mpi_has = "MPI_Psend_init")))]
#[allow(non_snake_case, clippy::too_many_arguments, reason = "C's")]
mod absent {
    use crate::ffi::*;
    use std::os::raw::{c_int, c_void};

    macro_rules! absent {
        ($($name:ident($($arg:ty),+);)+) => { $(
            pub(in super::super) unsafe fn $name($(_: $arg),+) -> c_int {
                MPI_ERR_UNSUPPORTED_OPERATION
            }
        )+ };
    }
    type Request = *mut MPI_Request;
    absent! {
        MPI_Psend_init(*const c_void, c_int, MPI_Count, MPI_Datatype, c_int, c_int, MPI_Comm, MPI_Info, Request);
        MPI_Precv_init(*mut c_void, c_int, MPI_Count, MPI_Datatype, c_int, c_int, MPI_Comm, MPI_Info, Request);
        MPI_Pready(c_int, MPI_Request);
        MPI_Pready_range(c_int, c_int, MPI_Request);
        MPI_Pready_list(c_int, *const c_int, MPI_Request);
        MPI_Parrived(MPI_Request, c_int, *mut c_int);
    }
}
