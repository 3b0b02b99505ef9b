//! Committed types of arrays of many axes, by shape: what [`cache`](super::cache) is for two axes.
//!
//! The key is the whole shape, not a handle of a type of less axes: such a handle may be freed, and its number be given to
//! another type.
#![allow(unsafe_code)]

use super::RawDatatype;
use super::cache::retire;
use super::repeat::{Vector, free};
use crate::buffer::INT_MAX;
use crate::environment::enter;
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Datatype, check};
use std::cell::Cell;

/// More axes than that, none of which can be joined with its neighbour, are refused.
pub(crate) const MAX: usize = 12;

/// `len` times what the axes after this one describe, `stride` bytes apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Axis {
    pub len: usize,
    pub stride: isize,
}

/// Axes from the outermost to the innermost, of runs of `run` elements of `base`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Axes {
    pub axes: [Axis; MAX],
    pub used: usize,
    pub run: usize,
    pub base: MPI_Datatype,
}

const CALL: Call = &"MPI_Type_create_hvector";
const SLOTS: usize = 32;

thread_local! {
    static CACHE: [Cell<Option<(Axes, MPI_Datatype)>>; SLOTS] = const { [const { Cell::new(None) }; SLOTS] };
}

impl Axes {
    fn slot(&self) -> usize {
        let mix = |mix: u64, n: u64| (mix ^ n).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let used = self.axes[..self.used].iter();
        let mixed = used.fold(self.run as u64, |m, axis| mix(mix(m, axis.len as u64), axis.stride as u64));
        mixed as usize % SLOTS
    }

    /// The committed type of this shape.
    pub(crate) fn committed(&self) -> Result<RawDatatype> {
        CACHE.with(|cache| {
            let slot = &cache[self.slot()];
            match slot.get() {
                Some((shape, datatype)) if shape == *self => Ok(RawDatatype(datatype)),
                _ => self.commit(slot),
            }
        })
    }

    #[cold]
    fn commit(&self, slot: &Cell<Option<(Axes, MPI_Datatype)>>) -> Result<RawDatatype> {
        let _entered = enter(CALL)?; // as in the table of views
        let (mut inner, mut block) = (self.base, self.run);
        for axis in self.axes[..self.used].iter().rev() {
            let outer = Vector { blocks: axis.len, block, stride: axis.stride, base: inner }.create(INT_MAX);
            if inner != self.base {
                free(inner); // what was made of it lives on (MPI 4.1 §5.1.9)
            }
            (inner, block) = (outer?, 1);
        }
        // SAFETY: a type that was made above: there is at least one axis.
        check(&"MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&raw mut inner) })?;
        if let Some((_, old)) = slot.replace(Some((*self, inner))) {
            retire(old);
        }
        Ok(RawDatatype(inner))
    }
}

/// Frees this thread's types. MPI is live; called before it ends.
pub(super) fn clear() {
    CACHE.with(|cache| cache.iter().filter_map(Cell::take).for_each(|(_, datatype)| free(datatype)));
}
