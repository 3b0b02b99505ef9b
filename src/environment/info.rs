//! Questions that need no communicator: versions, clock, processor name (MPI 4.1 §9.1, §9.6).
#![allow(unsafe_code)]

use super::{ThreadLevel, state};
use crate::error::Result;
use crate::ffi::{self, Call, check};
use mpi_config::family::{Family, Version};
use std::os::raw::{c_char, c_int};

/// An MPI library: which one, its own version, and the version of the standard it implements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Library {
    /// Open MPI, MPICH, …
    pub family: Family,
    /// The library's own version.
    pub version: Version,
    /// The standard's version and subversion: `(4, 1)`.
    pub standard: (u32, u32),
}

/// The library this program was compiled for, as its header said at build time.
pub fn bound_library() -> Library {
    let standard = Version::parse(ffi::STD_VERSION).unwrap_or(NO_VERSION);
    Library {
        family: bound_family(),
        version: Version::parse(ffi::IMPL_VERSION).unwrap_or(NO_VERSION),
        standard: (standard.major, standard.minor),
    }
}

const NO_VERSION: Version = Version::new(0, 0, 0);

pub(super) fn bound_family() -> Family {
    Family::from_name(ffi::FAMILY).unwrap_or(Family::Unknown)
}

/// The library that the loader found. May be asked before `init`.
#[doc(alias("MPI_Get_library_version", "MPI_Get_version"))]
pub fn loaded_library() -> Result<Library> {
    let (family, version) =
        Family::from_library_version(&library_version()?).unwrap_or((Family::Unknown, NO_VERSION));
    Ok(Library { family, version, standard: version_of_standard()? })
}

/// `MPI_Get_version`: the version and subversion of the standard that the loaded library implements.
fn version_of_standard() -> Result<(u32, u32)> {
    let (mut version, mut subversion) = (0, 0);
    // SAFETY: may be called at any time (MPI 4.1 §11.4.1); the out-arguments are ours.
    check(&"MPI_Get_version", unsafe { ffi::MPI_Get_version(&raw mut version, &raw mut subversion) })?;
    Ok((version as u32, subversion as u32))
}

/// `MPI_Get_library_version`: the loaded library's description of itself. May be asked before `init`.
#[doc(alias = "MPI_Get_library_version")]
pub fn library_version() -> Result<String> {
    // The largest of all ABIs, since the loaded library may be another than the header's.
    read_string::<8192>(&"MPI_Get_library_version", |text, len| {
        // SAFETY: may be called at any time; `text` has room for the longest string of any ABI.
        unsafe { ffi::MPI_Get_library_version(text, len) }
    })
}

/// `MPI_Get_processor_name`: the host, usually.
///
/// # Errors
/// MPI is not live, or this thread may not use it.
#[doc(alias = "MPI_Get_processor_name")]
pub fn processor_name() -> Result<String> {
    let _entered = state::enter(&"MPI_Get_processor_name")?;
    read_processor_name()
}

pub(super) fn read_processor_name() -> Result<String> {
    read_string::<{ ffi::MPI_MAX_PROCESSOR_NAME as usize + 1 }>(&"MPI_Get_processor_name", |text, len| {
        // SAFETY: the callers have checked that MPI is live; `text` has room for the longest name.
        unsafe { ffi::MPI_Get_processor_name(text, len) }
    })
}

/// `MPI_Wtime`: seconds since some fixed time in the past, on this process's clock.
///
/// # Errors
/// MPI is not live, or this thread may not use it.
#[doc(alias = "MPI_Wtime")]
pub fn wtime() -> Result<f64> {
    let _entered = state::enter(&"MPI_Wtime")?;
    // SAFETY: MPI is live and this thread may use it.
    Ok(unsafe { ffi::MPI_Wtime() })
}

/// `MPI_Wtick`: the resolution of [`wtime`] in seconds.
///
/// # Errors
/// MPI is not live, or this thread may not use it.
#[doc(alias = "MPI_Wtick")]
pub fn wtick() -> Result<f64> {
    let _entered = state::enter(&"MPI_Wtick")?;
    // SAFETY: as in `wtime`.
    Ok(unsafe { ffi::MPI_Wtick() })
}

/// `MPI_Query_thread`: the level that the library provides.
///
/// # Errors
/// MPI is not live.
#[doc(alias = "MPI_Query_thread")]
pub fn thread_level() -> Result<ThreadLevel> {
    state::enter(&"MPI_Query_thread").map(|_| state::level())
}

/// MPI's text for an error code, where this thread may ask for it now.
///
/// Asked after finalize, Open MPI ends the job; so nothing is asked then.
pub(crate) fn error_string(code: c_int) -> Option<String> {
    let _entered = state::enter(&"MPI_Error_string").ok()?;
    read_string::<{ ffi::MPI_MAX_ERROR_STRING as usize + 1 }>(&"MPI_Error_string", |text, len| {
        // SAFETY: the code came from MPI, and `text` has room for the longest string.
        unsafe { ffi::MPI_Error_string(code, text, len) }
    })
    .ok()
}

/// A string that MPI writes into a buffer of `N` bytes, at least the library's own maximum.
fn read_string<const N: usize>(
    call: Call,
    f: impl FnOnce(*mut c_char, *mut c_int) -> c_int,
) -> Result<String> {
    let mut text = vec![0u8; N];
    let mut len = 0;
    check(call, f(text.as_mut_ptr().cast(), &raw mut len))?;
    text.truncate(usize::try_from(len).unwrap_or(0));
    Ok(String::from_utf8_lossy(&text).trim_end_matches('\0').to_owned())
}

/// A flag that MPI can be asked for at any time: `MPI_Initialized`, `MPI_Finalized`, `MPI_Is_thread_main`.
pub(super) fn flag(call: Call, f: unsafe extern "C" fn(*mut c_int) -> c_int) -> Result<bool> {
    let mut flag = 0;
    // SAFETY: the callers pass functions that write one int and may be called in the state they are in.
    check(call, unsafe { f(&raw mut flag) })?;
    Ok(flag != 0)
}
