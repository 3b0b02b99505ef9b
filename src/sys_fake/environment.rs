//! Starting and ending, and what can be asked about the library.

use super::abi::*;
use super::comm::Comm;
use super::process::{Phase, any_time, enter};
use std::io::{self, Write};
use std::os::raw::{c_char, c_int};
use std::sync::OnceLock;
use std::thread;
use std::time::Instant;

pub unsafe extern "C" fn MPI_Init_thread(
    _argc: *mut c_int,
    _argv: *mut *mut *mut c_char,
    required: c_int,
    provided: *mut c_int,
) -> c_int {
    let mut process = any_time();
    assert!(process.phase == Phase::Before, "fake MPI: MPI_Init_thread called twice");
    process.phase = Phase::Live { level: required, owner: thread::current().id() };
    for comm in [MPI_COMM_WORLD, MPI_COMM_SELF] {
        process.comms.insert(comm.addr(), Comm::default());
    }
    // SAFETY: an out-argument.
    unsafe { provided.write(required) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Finalize() -> c_int {
    let mut process = enter("MPI_Finalize");
    // First of all the attributes of MPI_COMM_SELF are deleted, while MPI can still be called.
    let attributes = std::mem::take(&mut process.comm(MPI_COMM_SELF).attributes);
    let deletes: Vec<_> =
        attributes.into_iter().map(|(key, value)| (key, value, process.keyvals[&key])).collect();
    drop(process);
    for (key, value, delete) in deletes {
        if let Some(delete) = delete {
            // SAFETY: a function that was given for this, with the key and value of the attribute.
            unsafe { delete(MPI_COMM_SELF, key, handle(value), std::ptr::null_mut()) };
        }
    }
    let mut process = enter("MPI_Finalize");
    let Phase::Live { owner, .. } = process.phase else { unreachable!("entered") };
    assert!(owner == thread::current().id(), "fake MPI: MPI_Finalize on another thread than MPI_Init");
    let careless = super::hooks::host_is_careless();
    assert!(
        careless || process.traffic.requests.is_empty(),
        "fake MPI: MPI_Finalize with requests in flight"
    );
    assert!(process.buffer.is_none(), "fake MPI: MPI_Finalize with a buffer attached");
    process.phase = Phase::After;
    MPI_SUCCESS
}

/// # Safety
/// `flag` may be written.
unsafe fn answer(flag: *mut c_int, yes: bool) -> c_int {
    // SAFETY: by this function's contract.
    unsafe { flag.write(yes.into()) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Initialized(flag: *mut c_int) -> c_int {
    // SAFETY: an out-argument.
    unsafe { answer(flag, any_time().phase != Phase::Before) }
}

pub unsafe extern "C" fn MPI_Finalized(flag: *mut c_int) -> c_int {
    // SAFETY: an out-argument.
    unsafe { answer(flag, any_time().phase == Phase::After) }
}

pub unsafe extern "C" fn MPI_Is_thread_main(flag: *mut c_int) -> c_int {
    let Phase::Live { owner, .. } = any_time().phase else {
        panic!("fake MPI: MPI_Is_thread_main while not live")
    };
    // SAFETY: an out-argument.
    unsafe { answer(flag, owner == thread::current().id()) }
}

pub unsafe extern "C" fn MPI_Query_thread(provided: *mut c_int) -> c_int {
    let Phase::Live { level, .. } = any_time().phase else {
        panic!("fake MPI: MPI_Query_thread while not live")
    };
    // SAFETY: an out-argument.
    unsafe { provided.write(level) };
    MPI_SUCCESS
}

/// Ends the process at once, as a library does: no destructor runs.
pub unsafe extern "C" fn MPI_Abort(comm: MPI_Comm, code: c_int) -> c_int {
    enter("MPI_Abort").comm(comm);
    let _ = writeln!(io::stderr(), "fake MPI: MPI_Abort with code {code}");
    std::process::abort()
}

/// # Safety
/// `text` has room for the text and a zero byte; `len` may be written.
unsafe fn write_text(text: *mut c_char, len: *mut c_int, value: &str) -> c_int {
    for (i, byte) in value.bytes().chain([0]).enumerate() {
        // SAFETY: by this function's contract.
        unsafe { text.wrapping_add(i).write(byte as c_char) };
    }
    // SAFETY: by this function's contract.
    unsafe { len.write(value.len() as c_int) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Get_library_version(text: *mut c_char, len: *mut c_int) -> c_int {
    // SAFETY: as this function's.
    unsafe { write_text(text, len, "a fake MPI of one process, for Miri") }
}

pub unsafe extern "C" fn MPI_Get_version(version: *mut c_int, subversion: *mut c_int) -> c_int {
    // SAFETY: an out-argument.
    unsafe { version.write(4) };
    // SAFETY: an out-argument.
    unsafe { subversion.write(1) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Get_processor_name(text: *mut c_char, len: *mut c_int) -> c_int {
    drop(enter("MPI_Get_processor_name"));
    // SAFETY: as this function's.
    unsafe { write_text(text, len, "nowhere") }
}

pub unsafe extern "C" fn MPI_Error_string(code: c_int, text: *mut c_char, len: *mut c_int) -> c_int {
    drop(enter("MPI_Error_string"));
    // SAFETY: as this function's.
    unsafe { write_text(text, len, &format!("fake error {code}")) }
}

pub unsafe extern "C" fn MPI_Error_class(code: c_int, class: *mut c_int) -> c_int {
    drop(enter("MPI_Error_class"));
    // SAFETY: an out-argument.
    unsafe { class.write(class_of(code)) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Wtime() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    drop(enter("MPI_Wtime"));
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

pub unsafe extern "C" fn MPI_Wtick() -> f64 {
    drop(enter("MPI_Wtick"));
    1e-9
}
