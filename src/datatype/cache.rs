//! Committed vector types for strided views, by shape.
//!
//! A halo exchange lends the same columns in every time step. Creating and committing their type each time would
//! cost more than the message, so the last few shapes are kept: one small direct-mapped table per thread, without
//! a lock or an allocation. A type that is pushed out is freed, which MPI allows while messages use it
//! (MPI 4.1 §5.1.9), but not at once: the call that pushed it out may be about to pass it, since a call has two
//! buffers. So it is freed when the next one is pushed out.
#![allow(unsafe_code)]

use super::repeat::{Vector, free};
use crate::buffer::INT_MAX;
use crate::environment::enter;
use crate::error::Result;
use crate::ffi::{self, MPI_Datatype, check};
use std::cell::Cell;

const SLOTS: usize = 64;

thread_local! {
    static CACHE: [Cell<Option<(Vector, MPI_Datatype)>>; SLOTS] = const { [const { Cell::new(None) }; SLOTS] };
    static PUSHED_OUT: Cell<Option<MPI_Datatype>> = const { Cell::new(None) };
}

impl Vector {
    fn slot(&self) -> usize {
        // Rows and columns of one grid differ in `blocks` and `block` alone: both must move the slot.
        let mix = (self.blocks as u32)
            .wrapping_mul(0x9E37_79B1)
            .wrapping_add(self.block as u32)
            .wrapping_mul(0x85EB_CA6B)
            .wrapping_add(self.stride as u32);
        (mix.wrapping_mul(0xC2B2_AE35) >> 26) as usize
    }

    /// The committed type of this shape.
    #[inline]
    pub(crate) fn committed(self) -> Result<MPI_Datatype> {
        CACHE.with(|cache| match cache[self.slot()].get() {
            Some((shape, datatype)) if shape == self => Ok(datatype),
            _ => self.commit(&cache[self.slot()]),
        })
    }

    #[cold]
    fn commit(self, slot: &Cell<Option<(Vector, MPI_Datatype)>>) -> Result<MPI_Datatype> {
        // The description of a buffer comes before the check of the call that it is for; and a view may be on any thread,
        // where anybody may ask for its description.
        let _entered = enter(&"MPI_Type_create_hvector")?;
        let mut datatype = self.create(INT_MAX)?;
        // SAFETY: a type we have just made.
        check(&"MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&raw mut datatype) })?;
        if let Some((_, old)) = slot.replace(Some((self, datatype))) {
            retire(old);
        }
        Ok(datatype)
    }
}

/// Frees a type that left its table when the next one does.
pub(super) fn retire(datatype: MPI_Datatype) {
    PUSHED_OUT.replace(Some(datatype)).into_iter().for_each(free);
}

/// Frees this thread's types. MPI is live; called before it ends. Other threads' types end with MPI.
pub(crate) fn clear() {
    super::axes::clear();
    CACHE.with(|cache| cache.iter().filter_map(Cell::take).for_each(|(_, datatype)| free(datatype)));
    PUSHED_OUT.take().into_iter().for_each(free);
}
