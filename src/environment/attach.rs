//! MPI was started by a host program (mpi4py, PETSc, a Fortran or C main): work beside it, on a duplicate of the
//! world, with its error handlers left alone, and stop when it stops.
#![allow(unsafe_code)]

use super::state;
use crate::error::Result;
use crate::ffi::{self, MPI_Comm, check};
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Where `MPI_Comm` is a pointer it is not `Send`; it names a communicator from every thread all the same.
struct Shared(MPI_Comm);
// SAFETY: a handle is a name; which thread may call MPI with it is checked by `state`, not by this type.
unsafe impl Send for Shared {}

/// The duplicate. Freed by the last handle, or when the host finalizes.
static WORLD: Mutex<Option<Shared>> = Mutex::new(None);

fn shared_world() -> MutexGuard<'static, Option<Shared>> {
    WORLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// MPI deletes the attributes of `MPI_COMM_SELF` first thing in `MPI_Finalize` (MPI 4.1 §11.2.4).
unsafe extern "C" fn host_finalizes(_: MPI_Comm, _: c_int, _: *mut c_void, _: *mut c_void) -> c_int {
    state::host_ends();
    crate::p2p::buffered::release();
    free_world();
    ffi::MPI_SUCCESS
}

fn free_world() {
    if let Some(Shared(mut world)) = shared_world().take() {
        // SAFETY: our own duplicate, freed once since it was taken out of its place; MPI is live here.
        unsafe { ffi::MPI_Comm_free(&raw mut world) };
    }
}

/// Duplicates the world and asks to be told when the host finalizes. MPI is live, started by another.
pub(super) fn attach() -> Result<MPI_Comm> {
    let mut world = ffi::MPI_COMM_NULL;
    // SAFETY: MPI is live; the out-argument is ours.
    check(&"MPI_Comm_dup", unsafe { ffi::MPI_Comm_dup(ffi::MPI_COMM_WORLD, &raw mut world) })?;
    // SAFETY: a communicator we own.
    check(&"MPI_Comm_set_errhandler", unsafe {
        ffi::MPI_Comm_set_errhandler(world, ffi::MPI_ERRORS_RETURN)
    })?;
    watch_host()?;
    *shared_world() = Some(Shared(world));
    Ok(world)
}

/// Puts an attribute on `MPI_COMM_SELF` whose deletion tells us that the host finalizes. Once per process.
fn watch_host() -> Result<()> {
    static WATCHING: Once = Once::new();
    let mut result = Ok(());
    WATCHING.call_once(|| result = set_end_mark());
    result
}

fn set_end_mark() -> Result<()> {
    let mut key = 0;
    // SAFETY: the null copy function and a delete function of the right type, which lives for ever.
    let code = unsafe {
        ffi::MPI_Comm_create_keyval(
            ffi::MPI_COMM_NULL_COPY_FN,
            Some(host_finalizes),
            &raw mut key,
            ptr::null_mut(),
        )
    };
    check(&"MPI_Comm_create_keyval", code)?;
    // SAFETY: a key we have just made; the value is not used.
    check(&"MPI_Comm_set_attr", unsafe { ffi::MPI_Comm_set_attr(ffi::MPI_COMM_SELF, key, ptr::null_mut()) })
}

/// The last handle has dropped. The attribute stays: the next attach needs it too.
pub(super) fn detach() {
    crate::datatype::clear();
    crate::collective::op::clear();
    free_world();
}

/// The communicator that stands for the world: the duplicate where MPI is a host's.
pub(crate) fn world() -> MPI_Comm {
    shared_world().as_ref().map_or_else(|| ffi::MPI_COMM_WORLD, |world| world.0)
}
