//! Communicators of one process, and their attributes.

use super::abi::*;
use super::hooks::host_is_careless;
use super::process::{Process, enter, fresh_name};
use super::topology::Grid;
use std::collections::BTreeMap;
use std::os::raw::{c_int, c_void};

#[derive(Debug, Default)]
pub(super) struct Comm {
    pub returns_errors: bool,
    /// The keys of its attributes; nobody asks for the values.
    pub attributes: BTreeMap<c_int, usize>,
    pub grid: Option<Grid>,
}

impl Process {
    /// A new communicator, with the error handler of the one it is made from.
    #[track_caller]
    pub(super) fn new_comm(&mut self, parent: MPI_Comm, grid: Option<Grid>) -> MPI_Comm {
        let returns_errors = self.comm(parent).returns_errors;
        let name = fresh_name();
        self.comms.insert(name, Comm { returns_errors, attributes: BTreeMap::new(), grid });
        handle(name)
    }
}

pub unsafe extern "C" fn MPI_Comm_rank(comm: MPI_Comm, rank: *mut c_int) -> c_int {
    enter("MPI_Comm_rank").comm(comm);
    // SAFETY: an out-argument.
    unsafe { rank.write(0) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_size(comm: MPI_Comm, size: *mut c_int) -> c_int {
    enter("MPI_Comm_size").comm(comm);
    // SAFETY: an out-argument.
    unsafe { size.write(1) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_dup(comm: MPI_Comm, new: *mut MPI_Comm) -> c_int {
    let mut process = enter("MPI_Comm_dup");
    let grid = process.comm(comm).grid.clone();
    // SAFETY: an out-argument.
    unsafe { new.write(process.new_comm(comm, grid)) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_split(
    comm: MPI_Comm,
    color: c_int,
    _key: c_int,
    new: *mut MPI_Comm,
) -> c_int {
    let mut process = enter("MPI_Comm_split");
    assert!(color >= 0 || color == MPI_UNDEFINED, "fake MPI: MPI_Comm_split with color {color}");
    let made = if color == MPI_UNDEFINED { MPI_COMM_NULL } else { process.new_comm(comm, None) };
    // SAFETY: an out-argument.
    unsafe { new.write(made) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_free(comm: *mut MPI_Comm) -> c_int {
    let mut process = enter("MPI_Comm_free");
    // SAFETY: an in-out-argument.
    let old = unsafe { comm.read() };
    assert!(old != MPI_COMM_WORLD && old != MPI_COMM_SELF, "fake MPI: frees a predefined communicator");
    process.comms.remove(&old.addr()).expect("fake MPI: a communicator freed twice");
    let used = process.traffic.requests.values().any(|request| request.comm == old.addr());
    assert!(!used || host_is_careless(), "fake MPI: frees a communicator with a request on it");
    // SAFETY: an in-out-argument.
    unsafe { comm.write(MPI_COMM_NULL) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_compare(one: MPI_Comm, other: MPI_Comm, result: *mut c_int) -> c_int {
    let mut process = enter("MPI_Comm_compare");
    process.comm(one);
    process.comm(other);
    // SAFETY: an out-argument.
    unsafe { result.write(if one == other { MPI_IDENT } else { MPI_CONGRUENT }) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_set_errhandler(comm: MPI_Comm, handler: MPI_Errhandler) -> c_int {
    assert!(handler == MPI_ERRORS_RETURN, "fake MPI: not an error handler");
    enter("MPI_Comm_set_errhandler").comm(comm).returns_errors = true;
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_get_attr(
    comm: MPI_Comm,
    key: c_int,
    value: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    static TAG_UB: c_int = LARGEST_TAG;
    enter("MPI_Comm_get_attr").comm(comm);
    if key == MPI_TAG_UB {
        // SAFETY: the address of a pointer, to be written.
        unsafe { value.cast::<*const c_int>().write(&raw const TAG_UB) };
    }
    // SAFETY: an out-argument.
    unsafe { flag.write((key == MPI_TAG_UB).into()) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_create_keyval(
    _copy: MPI_Comm_copy_attr_function,
    delete: MPI_Comm_delete_attr_function,
    key: *mut c_int,
    _extra: *mut c_void,
) -> c_int {
    let mut process = enter("MPI_Comm_create_keyval");
    let new = MPI_TAG_UB + 1 + process.keyvals.len() as c_int;
    process.keyvals.insert(new, delete);
    // SAFETY: an out-argument.
    unsafe { key.write(new) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Comm_set_attr(comm: MPI_Comm, key: c_int, value: *mut c_void) -> c_int {
    let mut process = enter("MPI_Comm_set_attr");
    assert!(process.keyvals.contains_key(&key), "fake MPI: not an attribute key");
    process.comm(comm).attributes.insert(key, value.addr());
    MPI_SUCCESS
}
