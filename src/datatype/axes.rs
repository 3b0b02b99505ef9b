//! Committed types of arrays of many axes, by shape: what [`cache`](super::cache) is for two axes.
//!
//! The key is the whole shape, not a handle of a type of less axes: such a handle may be freed, and its number be given to
//! another type.
#![allow(unsafe_code)]

use super::RawDatatype;
use super::cache::{free, retire};
use crate::environment::enter;
use crate::error::{Error, Needs, Result};
use crate::ffi::{self, Call, MPI_Aint, MPI_Datatype, check};
use std::cell::Cell;
use std::os::raw::c_int;

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
        let (mut inner, mut block) = (self.base, int(self.run)?);
        for axis in self.axes[..self.used].iter().rev() {
            let outer = match axis.stride {
                -1 => backwards(int(axis.len)?, block, inner),
                stride => hvector(int(axis.len)?, block, stride, inner),
            };
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

fn hvector(blocks: c_int, block: c_int, stride: isize, base: MPI_Datatype) -> Result<MPI_Datatype> {
    let mut new = ffi::MPI_DATATYPE_NULL;
    // SAFETY: a valid base type; any shape is allowed, since nothing is accessed here.
    let code = unsafe { ffi::MPI_Type_create_hvector(blocks, block, stride as MPI_Aint, base, &raw mut new) };
    check(CALL, code).map(|()| new)
}

/// Blocks that are one byte apart, in reverse. Open MPI takes a stride of -1 for the extent of the type, and would write
/// past the buffer (fault `stride-minus-one`); so they go in pairs, whose places are listed. That is right everywhere.
fn backwards(blocks: c_int, block: c_int, base: MPI_Datatype) -> Result<MPI_Datatype> {
    let (mut pair, places) = (ffi::MPI_DATATYPE_NULL, [0, -1]);
    // SAFETY: an array of two places; a valid base type.
    let code = unsafe { ffi::MPI_Type_create_hindexed_block(2, block, places.as_ptr(), base, &raw mut pair) };
    check(&"MPI_Type_create_hindexed_block", code)?;
    let pairs = hvector(blocks / 2, 1, -2, pair);
    free(pair); // what was made of it lives on (MPI 4.1 §5.1.9)
    let types = [pairs?, base];
    let (lengths, places) = ([1, blocks % 2 * block], [0, 1 - blocks as MPI_Aint]);
    let mut all = ffi::MPI_DATATYPE_NULL;
    // SAFETY: three arrays of two entries each.
    let code = unsafe {
        ffi::MPI_Type_create_struct(2, lengths.as_ptr(), places.as_ptr(), types.as_ptr(), &raw mut all)
    };
    free(types[0]);
    check(&"MPI_Type_create_struct", code).map(|()| all)
}

fn int(n: usize) -> Result<c_int> {
    c_int::try_from(n).map_err(|_| Error::unsupported(CALL, Needs::LargeCount))
}

/// Frees this thread's types. MPI is live; called before it ends.
pub(super) fn clear() {
    CACHE.with(|cache| cache.iter().filter_map(Cell::take).for_each(|(_, datatype)| free(datatype)));
}
