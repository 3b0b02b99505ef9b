//! Arrays and views of the crate `ndarray`: any number of axes, any strides, in the order of their indices.

use super::axes::region;
use super::{RecvBuf, Region, SendBuf};
use crate::datatype::{AnyBits, Datatype};
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use ndarray::{ArrayBase, Data, DataMut, Dimension};
use std::ptr::NonNull;

const CALL: Call = &"Contiguous::contiguous";

// SAFETY: the elements that the array owns or borrows (`Data`), which ndarray keeps inside one allocation.
unsafe impl<T: Datatype, S: Data<Elem = T>, D: Dimension> SendBuf for ArrayBase<S, D> {
    type Elem = T;
    fn region(&self) -> Result<Region> {
        region(self.as_ptr(), self.shape(), self.strides(), false)
    }
}

// SAFETY: the elements that the array owns or borrows exclusively (`DataMut`): `as_mut_ptr` makes a copy of shared ones.
unsafe impl<T: AnyBits, S: DataMut<Elem = T>, D: Dimension> RecvBuf for ArrayBase<S, D> {
    type Elem = T;
    type Filled<'a>
        = &'a mut ArrayBase<S, D>
    where
        Self: 'a;
    fn region(&mut self) -> Result<Region> {
        let ptr = self.as_mut_ptr(); // before the strides, which copying may change
        region(ptr, self.shape(), self.strides(), true)
    }
    unsafe fn filled<'a>(mut this: NonNull<Self>, _: usize) -> Self::Filled<'a>
    where
        Self: 'a,
    {
        // SAFETY: exclusively borrowed for `'a`, by this function's contract.
        unsafe { this.as_mut() }
    }
}

/// An array of `ndarray` as a slice, for the calls that need contiguous elements: reductions and most collectives.
///
/// Whether an array is contiguous is known at run time only, so it is asked for by name, and nothing is copied silently.
/// A request that is to own one takes an [`OwnedArray`](super::OwnedArray).
///
/// ```
/// use mpi::buffer::Contiguous;
/// use ndarray::Array2;
///
/// let matrix = Array2::<f64>::zeros((3, 4));
/// assert_eq!(matrix.contiguous()?.len(), 12); // world.allreduce(matrix.contiguous()?, Sum)
/// assert!(matrix.t().contiguous().is_err());
/// # Ok::<(), mpi::Error>(())
/// ```
pub trait Contiguous {
    /// The element type.
    type Elem;
    /// All elements in the order of their indices.
    ///
    /// # Errors
    /// They do not follow one another in memory in that order.
    fn contiguous(&self) -> Result<&[Self::Elem]>;
}

/// As [`Contiguous`], to be written.
pub trait ContiguousMut: Contiguous {
    /// All elements in the order of their indices.
    ///
    /// # Errors
    /// They do not follow one another in memory in that order.
    fn contiguous_mut(&mut self) -> Result<&mut [Self::Elem]>;
}

impl<T, S: Data<Elem = T>, D: Dimension> Contiguous for ArrayBase<S, D> {
    type Elem = T;
    fn contiguous(&self) -> Result<&[T]> {
        self.as_slice().ok_or_else(|| scattered(CALL, self.len()))
    }
}

impl<T, S: DataMut<Elem = T>, D: Dimension> ContiguousMut for ArrayBase<S, D> {
    fn contiguous_mut(&mut self) -> Result<&mut [T]> {
        let len = self.len();
        self.as_slice_mut().ok_or_else(|| scattered(CALL, len))
    }
}

#[cold]
pub(super) fn scattered(call: Call, len: usize) -> Error {
    Error::length(call, Argument::NotContiguous, len, 0)
}
