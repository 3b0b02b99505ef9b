//! Ghost cells around an interior: how long the axes are with them, and where the parts lie.

use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::array::from_fn;

const CALL: Call = &"MPI_Type_create_hvector";

/// Whatever is done to all cells is done to each, so cells that cost nothing may still take for ever.
const MAX_WITHOUT_BYTES: usize = 1 << 24;

/// The axes of a row-major array with ghosts on both sides of the interior, of which no number overflows: neither that of the
/// cells, nor the product of the last axes, though the first have nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Border<const N: usize> {
    /// With the ghosts.
    pub(super) dims: [usize; N],
    pub(super) ghost: [usize; N],
}

impl<const N: usize> Border<N> {
    /// Around an interior, and how many cells that makes; `None` if a number overflows.
    fn checked(core: [usize; N], ghost: [usize; N]) -> Option<(Self, usize)> {
        let (mut dims, mut cells) = (core, 1usize);
        // From the last axis on, so that a plane does not overflow either, if there is none.
        for (n, width) in dims.iter_mut().zip(ghost).rev() {
            *n = width.checked_mul(2)?.checked_add(*n)?;
            cells = cells.checked_mul(*n)?;
        }
        Some((Border { dims, ghost }, cells))
    }

    /// Around an interior that is to be made, and how many cells that makes: no more than there may be of `T`.
    pub(super) fn new<T>(core: [usize; N], ghost: [usize; N]) -> Result<(Self, usize)> {
        let fits = |cells: usize| {
            cells.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok())
        };
        let Some((border, cells)) = Self::checked(core, ghost).filter(|&(_, cells)| fits(cells)) else {
            return Err(Error::length(CALL, Argument::View, usize::MAX, isize::MAX as usize));
        };
        if size_of::<T>() == 0 && cells > MAX_WITHOUT_BYTES {
            return Err(Error::length(CALL, Argument::View, cells, MAX_WITHOUT_BYTES));
        }
        Ok((border, cells))
    }

    /// Around an interior in `len` cells that exist, which must be all of them.
    pub(super) fn within(call: Call, len: usize, core: [usize; N], ghost: [usize; N]) -> Result<Self> {
        match Self::checked(core, ghost) {
            Some((border, cells)) if cells == len => Ok(border),
            other => {
                let cells = other.map_or(usize::MAX, |(_, cells)| cells);
                Err(Error::length(call, Argument::Shape, cells, len))
            }
        }
    }

    /// The lengths of the axes without the ghosts.
    pub(super) fn core(&self) -> [usize; N] {
        from_fn(|axis| self.dims[axis] - 2 * self.ghost[axis])
    }

    /// The part that is before the interior (0), at it (1) or after it (2) along each axis: how many cells precede its first
    /// one, and the lengths of its axes.
    ///
    /// The three ranges of an axis are disjoint and all of it. Two parts differ in the range of some axis, so they share no
    /// cell, and each cell is in one.
    #[inline]
    pub(super) fn part(&self, sides: [usize; N]) -> (usize, [usize; N]) {
        let (ghost, core) = (self.ghost, self.core());
        let start: [usize; N] = from_fn(|axis| [0, ghost[axis], ghost[axis] + core[axis]][sides[axis]]);
        let dims: [usize; N] = from_fn(|axis| [ghost[axis], core[axis], ghost[axis]][sides[axis]]);
        if dims.contains(&0) {
            return (0, dims); // its corner may lie past the end
        }
        ((0..N).fold(0, |before, axis| before * self.dims[axis] + start[axis]), dims)
    }
}
