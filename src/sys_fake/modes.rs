//! Synchronous and ready sends.

use super::abi::*;
use super::point_to_point::{MPI_Isend, addressed, send_eagerly};
use std::os::raw::{c_int, c_void};

pub unsafe extern "C" fn MPI_Rsend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
) -> c_int {
    let mut process = addressed("MPI_Rsend", comm, dest, tag, false);
    if dest != MPI_PROC_NULL {
        assert!(process.traffic.is_awaited(comm.addr(), tag), "fake MPI: MPI_Rsend, and nobody receives");
        // SAFETY: as this function's.
        unsafe { send_eagerly(&mut process, buf, count, datatype, tag, comm) };
    }
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Irsend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    if dest != MPI_PROC_NULL {
        let process = addressed("MPI_Irsend", comm, dest, tag, false);
        assert!(process.traffic.is_awaited(comm.addr(), tag), "fake MPI: MPI_Irsend, and nobody receives");
    }
    // SAFETY: as this function's.
    unsafe { MPI_Isend(buf, count, datatype, dest, tag, comm, request) }
}

/// Every nonblocking send of the fake is synchronous: it is complete when its message is received.
pub unsafe extern "C" fn MPI_Issend(
    buf: *const c_void,
    count: c_int,
    datatype: MPI_Datatype,
    dest: c_int,
    tag: c_int,
    comm: MPI_Comm,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: as this function's.
    unsafe { MPI_Isend(buf, count, datatype, dest, tag, comm, request) }
}
