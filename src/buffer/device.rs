//! Memory that MPI reads and writes but the host perhaps cannot: that of a device.

use super::{RecvBuf, Region, SendBuf};
use crate::datatype::{AnyBits, Datatype};
use crate::error::Result;
use std::ptr::NonNull;

/// Elements at an address that a GPU-aware library can be given. This crate never follows it.
///
/// Sends and receives take it, in all their forms: `world.send(&memory, …)`, `s.irecv(&mut memory, …)`. Collectives that ask
/// for contiguous buffers do not, since this crate reads and writes some of theirs.
///
/// Whether the loaded library can is asked by [`gpu_support`](crate::environment::gpu_support).
///
/// ```no_run
/// use mpi::buffer::Device;
///
/// # fn device_pointer() -> *mut f32 { std::ptr::null_mut() }
/// # let world = mpi::init()?;
/// // SAFETY: 1024 numbers that a kernel has written, and that nobody else uses before `memory` is gone.
/// let mut memory = unsafe { Device::<f32>::new(device_pointer(), 1024) };
/// world.recv_into(&mut memory, 0, 0)?;
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Debug)]
pub struct Device<T> {
    start: *mut T,
    len: usize,
}

impl<T> Device<T> {
    /// `len` elements at an address of a device, or of the host.
    ///
    /// # Safety
    /// As long as the result exists, and as long as an operation that it was lent to is in flight:
    /// - the memory is allocated, aligned for `T`, of `len` elements, and `len * size_of::<T>()` is at most `isize::MAX`;
    /// - the loaded MPI library can read and write it from this process: for a device's memory,
    ///   [`gpu_support`](crate::environment::gpu_support) says so, and the library was told of the device as its
    ///   documentation asks;
    /// - it is initialized with values of `T` when it is sent, and what computes them is complete: MPI does not wait for
    ///   kernels or streams;
    /// - nobody else reads or writes it while MPI may write it, or writes it while MPI may read it: no kernel, and no
    ///   reference of the host.
    pub const unsafe fn new(start: *mut T, len: usize) -> Self {
        Device { start, len }
    }

    /// Where the first element is.
    pub fn as_ptr(&self) -> *mut T {
        self.start
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

// SAFETY: initialized memory that nobody modifies while it is lent (`new`).
unsafe impl<T: Datatype> SendBuf for Device<T> {
    type Elem = T;
    const IS_ON_HOST: bool = false;
    #[inline]
    fn region(&self) -> Result<Region> {
        Ok(Region::contiguous(self.start.cast_const(), self.len))
    }
}
// SAFETY: memory that nobody uses while it is lent (`new`); no reference to it is ever made.
unsafe impl<T: AnyBits> RecvBuf for Device<T> {
    type Elem = T;
    type Filled<'a> = &'a mut Device<T>;
    #[inline]
    fn region(&mut self) -> Result<Region> {
        Ok(Region::contiguous(self.start.cast_const(), self.len))
    }
    #[inline]
    unsafe fn filled<'a>(mut this: NonNull<Self>, _: usize) -> &'a mut Device<T> {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        unsafe { this.as_mut() }
    }
}
