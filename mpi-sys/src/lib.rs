//! Raw bindings to the MPI library that was installed when this crate was compiled.
//!
//! Functions and types are `bindgen`'s view of the installed `mpi.h`. Constants have one form whatever the
//! implementation:
//!
//! - integers (`MPI_ANY_SOURCE`, `MPI_ERR_TRUNCATE`, `MPI_TAG_UB`, …) are `pub const` of type
//!   [`c_int`](std::ffi::c_int);
//! - handles, addresses and predefined functions (`MPI_COMM_WORLD`, `MPI_IN_PLACE`, `MPI_COMM_DUP_FN`, …) are
//!   `pub const` where Rust can name the value, as for everything that stands in a hot call, and `pub static`
//!   otherwise. Both are safe to read.
//!
//! The library is found through `MPICC`, `MPI_HOME` or `MPI_ROOT`, then `mpicc` on `PATH`, pkg-config, and the
//! usual folders; a build without any says what to install. With `MPI_SYS_STUB=1` (or on docs.rs) committed
//! declarations are used and nothing is linked: enough for `cargo check`.
//!
//! What the installed header lacks does not exist here. A dependent crate's build script learns what exists
//! from `DEP_MPI_FUNCTIONS` and `DEP_MPI_CONSTANTS`. A constant that is not here and should be is missing from
//! `names/integers.txt` or `names/handles.txt`.

/// The implementation: `openmpi`, `mpich`, `intel`, `mpi-abi`, `unknown`, or `stub` for a build without MPI.
pub const FAMILY: &str = env!("MPI_SYS_FAMILY");
/// The implementation's version according to its header, such as `4.1.4`.
pub const IMPL_VERSION: &str = env!("MPI_SYS_IMPL_VERSION");
/// The version of the MPI standard the header claims, such as `3.1`.
pub const STD_VERSION: &str = env!("MPI_SYS_STD_VERSION");
/// The launcher that belongs to the library, or empty.
pub const MPIEXEC: &str = env!("MPI_SYS_MPIEXEC");
/// The folder of a self-contained installation, or empty.
pub const PREFIX: &str = env!("MPI_SYS_PREFIX");
/// Folders in which the loader must look for the library, joined by `:`.
pub const LIBDIRS: &str = env!("MPI_SYS_LIBDIRS");
/// The compiler wrapper that was asked, or empty.
pub const MPICC: &str = env!("MPI_SYS_MPICC");

/// Generated: see `build/`.
mod raw {
    #![allow(
        missing_docs,
        missing_debug_implementations,
        non_camel_case_types,
        non_snake_case,
        non_upper_case_globals,
        unnameable_types,
        clippy::all,
        reason = "C's names, and not meant to be read"
    )]
    use std::ffi::{c_char, c_int, c_void};

    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}

pub use raw::*;
