//! Whether the library says that it reads and writes the memory of devices.
#![allow(unsafe_code)]

use super::state;
use crate::error::Result;
use std::ffi::CStr;
use std::os::raw::c_int;

/// Whose memory a library may be able to read and write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Gpu {
    /// CUDA: `MPIX_Query_cuda_support` of Open MPI and MPICH.
    Cuda,
    /// ROCm: `MPIX_Query_rocm_support` of Open MPI, `MPIX_Query_hip_support` of MPICH.
    Rocm,
    /// oneAPI Level Zero: `MPIX_Query_ze_support` of MPICH.
    LevelZero,
}

impl Gpu {
    /// The functions that answer, which are no part of the standard.
    fn queries(self) -> &'static [&'static CStr] {
        match self {
            Gpu::Cuda => &[c"MPIX_Query_cuda_support"],
            Gpu::Rocm => &[c"MPIX_Query_rocm_support", c"MPIX_Query_hip_support"],
            Gpu::LevelZero => &[c"MPIX_Query_ze_support"],
        }
    }
}

/// Whether the loaded library says that it can be given pointers to the memory of such devices; `None` if it does not say.
/// Such memory is lent by [`Device`](crate::buffer::Device).
///
/// # Errors
/// MPI is not live, or this thread may not use it.
///
/// ```no_run
/// # use mpi::environment::{Gpu, gpu_support};
/// # let world = mpi::init()?;
/// if gpu_support(Gpu::Cuda)? != Some(true) {
///     println!("buffers go through the host");
/// }
/// # Ok::<(), mpi::Error>(())
/// ```
pub fn gpu_support(gpu: Gpu) -> Result<Option<bool>> {
    let _entered = state::enter(&"MPIX_Query_cuda_support")?;
    Ok(gpu.queries().iter().find_map(|name| loaded(name)).map(|query| {
        // SAFETY: a function of the loaded library, of the type that its header gives it; MPI is live.
        unsafe { query() != 0 }
    }))
}

type Query = unsafe extern "C" fn() -> c_int;

/// A function of the loaded library that its header does not always name: Open MPI's is not the one that bindings are made
/// of.
fn loaded(name: &CStr) -> Option<Query> {
    if cfg!(miri) {
        return None;
    }
    // SAFETY: a name that ends with a zero.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: null, or a function of this type: all libraries that have these names agree on it.
    unsafe { std::mem::transmute::<*mut libc::c_void, Option<Query>>(address) }
}
