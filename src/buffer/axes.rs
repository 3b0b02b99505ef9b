//! Elements along any number of axes, each with a stride of its own, in the order of their indices.

use super::Region;
use crate::datatype::Datatype;
use crate::datatype::axes::{Axes, Axis, MAX};
use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;

const CALL: Call = &"MPI_Type_create_hvector";

/// Axes of bytes, from the outermost to the innermost, without those that an inner one goes on.
struct Joined {
    axes: [Axis; MAX],
    used: usize,
}

impl Joined {
    /// `None` if there are more than [`MAX`].
    fn new(axes: impl Iterator<Item = Axis>) -> Option<Self> {
        let mut joined = Joined { axes: [Axis::default(); MAX], used: 0 };
        for axis in axes.filter(|axis| axis.len != 1) {
            match joined.last() {
                // So many steps of the inner one are a step of the outer one.
                Some(outer) if axis.stride.checked_mul(axis.len as isize) == Some(outer.stride) => {
                    *outer = Axis { len: outer.len * axis.len, stride: axis.stride };
                }
                _ => {
                    *joined.axes.get_mut(joined.used)? = axis;
                    joined.used += 1;
                }
            }
        }
        Some(joined)
    }

    fn last(&mut self) -> Option<&mut Axis> {
        self.axes[..self.used].last_mut()
    }

    /// Whether two indices may mean the same place: no axis steps over all that the narrower ones reach.
    fn overlaps(&self, size: usize) -> bool {
        let mut axes = self.axes;
        let axes = &mut axes[..self.used];
        axes.sort_unstable_by_key(|axis| axis.stride.unsigned_abs());
        let mut reach = size;
        axes.iter().any(|axis| {
            let step = axis.stride.unsigned_abs();
            let narrow = step < reach;
            // No overflow: the elements are in memory; of those that are not, the axis before says so.
            reach = reach.saturating_add(step.saturating_mul(axis.len - 1));
            narrow
        })
    }
}

/// The elements of an array, whose strides count elements. What is `written` may name none twice.
pub(super) fn region<T: Datatype>(
    ptr: *const T,
    shape: &[usize],
    strides: &[isize],
    written: bool,
) -> Result<Region> {
    let len = if shape.contains(&0) { 0 } else { shape.iter().product() };
    if len <= 1 || T::UNITS == 0 {
        return Ok(Region::contiguous(ptr, len));
    }
    let size = size_of::<T>();
    // A view that repeats elements has more than there are bytes; what counts elements of MPI's types relies on that.
    if len.checked_mul(size).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Error::length(CALL, Argument::Count, len, isize::MAX as usize / size));
    }
    // Wrapping: an axis of one index may have any stride, and is left out.
    let stride = |stride: isize| stride.wrapping_mul(size as isize);
    let bytes = shape.iter().zip(strides).map(|(&len, &each)| Axis { len, stride: stride(each) });
    let many = || Error::length(CALL, Argument::ManyAxes, shape.len(), MAX);
    let mut joined = Joined::new(bytes).ok_or_else(many)?;
    if written && joined.overlaps(size) {
        return Err(Error::length(CALL, Argument::AxesOverlap, len, 0));
    }
    // Elements that follow one another are a run; what is left are the axes of runs.
    let mut run = T::UNITS;
    if let Some(Axis { len, .. }) = joined.last().filter(|axis| axis.stride == size as isize).copied() {
        run *= len;
        joined.used -= 1;
        joined.axes[joined.used] = Axis::default();
    }
    if joined.used == 0 {
        return Ok(Region::contiguous(ptr, len));
    }
    live(CALL)?; // the description of a view asks MPI, so it comes before the check of the call it is for
    let axes = Axes { axes: joined.axes, used: joined.used, run, base: T::unit().0 };
    let datatype = axes.committed()?;
    Ok(Region { ptr: ptr.cast_mut().cast(), len, count: 1, datatype })
}
