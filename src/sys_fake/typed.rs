//! More constructors of datatypes, their measures, and what can be asked about how they were made: next to nothing.

use super::abi::*;
use super::layout::Layout;
use super::layout::functions::put;
use super::process::enter;
use std::os::raw::{c_char, c_int};
use std::slice;

pub unsafe extern "C" fn MPI_Type_create_hindexed(
    count: c_int,
    lengths: *const c_int,
    places: *const MPI_Aint,
    old: MPI_Datatype,
    new: *mut MPI_Datatype,
) -> c_int {
    // SAFETY: an array of `count` entries.
    let lengths = unsafe { slice::from_raw_parts(lengths, count as usize) };
    // SAFETY: an array of `count` entries.
    let places = unsafe { slice::from_raw_parts(places, count as usize) };
    let old = enter("MPI_Type_create_hindexed").layout(old);
    let parts: Vec<Layout> = lengths.iter().map(|&len| old.repeated(len as usize)).collect();
    let layout = Layout::assembled(places.iter().copied().zip(&parts));
    // SAFETY: an out-argument.
    unsafe { put(layout, "MPI_Type_create_hindexed", new) }
}

pub unsafe extern "C" fn MPI_Type_get_true_extent(
    datatype: MPI_Datatype,
    lower: *mut MPI_Aint,
    extent: *mut MPI_Aint,
) -> c_int {
    let (first, last) = enter("MPI_Type_get_true_extent").layout(datatype).reach();
    // SAFETY: an out-argument.
    unsafe { lower.write(first) };
    // SAFETY: an out-argument.
    unsafe { extent.write(last - first) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Type_set_name(_: MPI_Datatype, name: *mut c_char) -> c_int {
    drop(enter("MPI_Type_set_name"));
    // SAFETY: a string of C.
    let name = unsafe { std::ffi::CStr::from_ptr(name) };
    assert!(name.to_bytes().len() < MPI_MAX_OBJECT_NAME as usize, "fake MPI: a name that is too long");
    MPI_SUCCESS
}

/// Nothing has a name here.
pub unsafe extern "C" fn MPI_Type_get_name(_: MPI_Datatype, name: *mut c_char, len: *mut c_int) -> c_int {
    drop(enter("MPI_Type_get_name"));
    // SAFETY: room for a name.
    unsafe { name.write(0) };
    // SAFETY: an out-argument.
    unsafe { len.write(0) };
    MPI_SUCCESS
}

/// How a type was made is not kept.
pub unsafe extern "C" fn MPI_Type_get_envelope(
    _: MPI_Datatype,
    _: *mut c_int,
    _: *mut c_int,
    _: *mut c_int,
    _: *mut c_int,
) -> c_int {
    drop(enter("MPI_Type_get_envelope"));
    MPI_ERR_UNSUPPORTED_OPERATION
}

/// How a type was made is not kept.
pub unsafe extern "C" fn MPI_Type_get_contents(
    _: MPI_Datatype,
    _: c_int,
    _: c_int,
    _: c_int,
    _: *mut c_int,
    _: *mut MPI_Aint,
    _: *mut MPI_Datatype,
) -> c_int {
    drop(enter("MPI_Type_get_contents"));
    MPI_ERR_UNSUPPORTED_OPERATION
}

/// No Fortran is known here.
pub unsafe extern "C" fn MPI_Type_create_f90_real(_: c_int, _: c_int, _: *mut MPI_Datatype) -> c_int {
    drop(enter("MPI_Type_create_f90_real"));
    MPI_ERR_ARG
}

/// No Fortran is known here.
pub unsafe extern "C" fn MPI_Type_create_f90_complex(_: c_int, _: c_int, _: *mut MPI_Datatype) -> c_int {
    drop(enter("MPI_Type_create_f90_complex"));
    MPI_ERR_ARG
}

/// No Fortran is known here.
pub unsafe extern "C" fn MPI_Type_create_f90_integer(_: c_int, _: *mut MPI_Datatype) -> c_int {
    drop(enter("MPI_Type_create_f90_integer"));
    MPI_ERR_ARG
}

/// No Fortran is known here.
pub unsafe extern "C" fn MPI_Type_match_size(_: c_int, _: c_int, _: *mut MPI_Datatype) -> c_int {
    drop(enter("MPI_Type_match_size"));
    MPI_ERR_ARG
}
