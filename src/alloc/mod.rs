//! Memory that MPI allocates, which some networks reach faster than a vector's: `MPI_Alloc_mem`.
//!
//! ```no_run
//! # let world = mpi::init()?;
//! let mut halo = mpi::alloc::zeroed::<f64>(1 << 20)?;
//! halo[0] = 1.0;
//! world.send(&halo, 1, 0)?;
//!
//! // Aligned for vector instructions, with a hint for the library; owned by a request.
//! let tile = mpi::alloc::Options::new().align(64).info("mpich_buf_type", "network").zeroed::<f32>(4096)?;
//! let request = world.irecv(tile, 0, 1)?;
//! # Ok::<(), mpi::Error>(())
//! ```
//!
//! Standard: MPI 4.1, section 9.2 (Memory Allocation).
#![allow(unsafe_code)]

mod info;
mod memory;
mod options;

pub use memory::Memory;
pub use options::Options;

use crate::datatype::{AnyBits, Datatype};
use crate::error::Result;

/// `len` zeros in memory from MPI.
///
/// `MPI_Alloc_mem` (MPI 4.1 §9.2).
///
/// # Errors
/// MPI is not live, or this thread may not use it; there is not so much memory (class `NO_MEM`); or what MPI reports.
#[doc(alias = "MPI_Alloc_mem")]
pub fn zeroed<T: AnyBits>(len: usize) -> Result<Memory<T>> {
    Options::new().zeroed(len)
}

/// A copy of the elements in memory from MPI.
///
/// `MPI_Alloc_mem` (MPI 4.1 §9.2).
///
/// # Errors
/// As [`zeroed`].
///
/// ```no_run
/// # let world = mpi::init()?;
/// let flags = mpi::alloc::copied(&[true, false])?;
/// world.send(&flags, 1, 0)?;
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Alloc_mem")]
pub fn copied<T: Datatype>(elements: &[T]) -> Result<Memory<T>> {
    Options::new().copied(elements)
}
