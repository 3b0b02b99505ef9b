//! The library links, loads, and answers.

use std::ffi::{CStr, c_char, c_int};

use mpi_config::Family;

#[test]
fn the_loaded_library_is_the_one_that_was_found() {
    let mut text = [0 as c_char; mpi_sys::MPI_MAX_LIBRARY_VERSION_STRING as usize];
    let mut length: c_int = 0;
    // SAFETY: the buffer has the length the standard asks for (MPI 4.1, 9.1.1); the call is allowed before init.
    let code = unsafe { mpi_sys::MPI_Get_library_version(text.as_mut_ptr(), &raw mut length) };
    assert_eq!(code, mpi_sys::MPI_SUCCESS);
    // SAFETY: a call that succeeds leaves a terminated string in the buffer.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy();
    // Read by tests/every_mpi.rs.
    println!(
        "loaded: {} {}: {}",
        mpi_sys::FAMILY,
        mpi_sys::IMPL_VERSION,
        text.lines().next().unwrap_or_default()
    );

    let (family, version) = Family::from_library_version(&text).expect("a library we know");
    if mpi_sys::FAMILY != Family::Abi.name() {
        assert_eq!(family.name(), mpi_sys::FAMILY);
        assert!(mpi_sys::IMPL_VERSION.starts_with(&format!("{}.{}", version.major, version.minor)));
    }
}
