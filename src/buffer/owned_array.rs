//! Arrays of the crate `ndarray` that a request can own.

use super::ndarray::scattered;
use super::{OwnedRecv, OwnedSend};
use crate::datatype::{AnyBits, Datatype};
use crate::error::{Result, Returned};
use ndarray::{Array, ArrayViewMut, Dimension};
use std::ops::Deref;

/// An array of `ndarray` whose elements follow one another in the order of their indices, so that a request can own it as it
/// does a vector.
///
/// An array may be turned, and its elements are then in another order than its indices: so whoever moves one in asks once, and
/// what would change the order is not offered. Nothing is copied.
///
/// ```no_run
/// use mpi::buffer::OwnedArray;
/// use ndarray::Array2;
/// # let world = mpi::init()?;
/// let field = OwnedArray::new(Array2::<f64>::zeros((3, 4)))?;
/// let sending = world.isend(field, 0, 0)?;
/// let room = OwnedArray::new(Array2::<f64>::zeros((3, 4)))?;
/// let got: Array2<f64> = world.irecv(room, 0, 0)?.wait()?.data.into_array();
/// let field = sending.wait()?;
/// assert_eq!(got, *field);
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedArray<T, D: Dimension> {
    /// In standard layout.
    array: Array<T, D>,
}

impl<T, D: Dimension> OwnedArray<T, D> {
    /// Takes an array in standard layout.
    ///
    /// # Errors
    /// Its elements do not follow one another in memory in the order of their indices; it comes back. A copy that does:
    /// `array.as_standard_layout().into_owned()`.
    pub fn new(array: Array<T, D>) -> Result<Self, Returned<Array<T, D>>> {
        if array.is_standard_layout() {
            Ok(OwnedArray { array })
        } else {
            Err(Returned { error: scattered(&"OwnedArray::new", array.len()), data: array })
        }
    }

    /// The array, to be written.
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, D> {
        self.array.view_mut()
    }

    /// The array.
    pub fn into_array(self) -> Array<T, D> {
        self.array
    }
}

/// Not to be written: an array that is lent exclusively can be turned, or another put in its place.
impl<T, D: Dimension> Deref for OwnedArray<T, D> {
    type Target = Array<T, D>;
    fn deref(&self) -> &Array<T, D> {
        &self.array
    }
}

// SAFETY: the elements are in a vector's memory (`OwnedRepr`), which a move of the array does not touch, and nobody else refers
// to it.
unsafe impl<T: Datatype, D: Dimension + 'static> OwnedSend for OwnedArray<T, D> {
    type Elem = T;
    fn elements(&self) -> &[T] {
        self.array.as_slice().expect("in standard layout since `new`")
    }
}
// SAFETY: as above.
unsafe impl<T: AnyBits, D: Dimension + 'static> OwnedRecv for OwnedArray<T, D> {
    type Elem = T;
    fn elements_mut(&mut self) -> &mut [T] {
        self.array.as_slice_mut().expect("in standard layout since `new`")
    }
}
