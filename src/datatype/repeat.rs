//! Types of elements that repeat, as many as memory holds, though MPI's constructors count with an `int`.
//!
//! This is the only place that knows how a number beyond the limit becomes types. Libraries with constructors for large
//! counts are treated alike: one way, which the tests with a low limit take all the time.
#![allow(unsafe_code)]
#![allow(clippy::unnecessary_cast, reason = "`MPI_Aint` is an `isize` with one library and not with another")]

use crate::environment::live;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Aint, MPI_Datatype, check};
use std::os::raw::c_int;

const HVECTOR: Call = &"MPI_Type_create_hvector";

/// `blocks` runs of `block` elements of `base`, whose first elements are `stride` bytes apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Vector {
    pub blocks: usize,
    pub block: usize,
    pub stride: isize,
    pub base: MPI_Datatype,
}

/// A type on the way to another. What is made of it lives on (MPI 4.1 §5.1.9).
struct Part(MPI_Datatype);

impl Drop for Part {
    fn drop(&mut self) {
        free(self.0);
    }
}

impl Vector {
    /// The type, not committed. `limit`, at least 2, is the largest number that MPI is given as it is.
    pub(crate) fn create(self, limit: usize) -> Result<MPI_Datatype> {
        let Vector { blocks, block, stride, base } = self;
        if block > limit {
            let run = Part(large(HVECTOR, block, base, limit)?);
            return Vector { block: 1, base: run.0, ..self }.create(limit);
        }
        if blocks <= limit {
            let (blocks, block) = (blocks as c_int, block as c_int);
            return if stride == -1 {
                backwards(blocks, block, base)
            } else {
                hvector(blocks, block, stride, base)
            };
        }
        let (chunks, rest) = (blocks / limit, blocks % limit);
        let far = stride * limit as isize; // no overflow: between elements of one memory
        let chunk = Part(Vector { blocks: limit, ..self }.create(limit)?);
        let whole = Vector { blocks: chunks, block: 1, stride: far, base: chunk.0 }.create(limit)?;
        if rest == 0 {
            return Ok(whole);
        }
        let whole = Part(whole);
        let last = Part(Vector { blocks: rest, ..self }.create(limit)?);
        pair([1, 1], (far * chunks as isize) as MPI_Aint, [whole.0, last.0])
    }
}

fn hvector(blocks: c_int, block: c_int, stride: isize, base: MPI_Datatype) -> Result<MPI_Datatype> {
    let mut new = ffi::MPI_DATATYPE_NULL;
    // SAFETY: a valid base type; any shape is allowed, since nothing is accessed here.
    let code = unsafe { ffi::MPI_Type_create_hvector(blocks, block, stride as MPI_Aint, base, &raw mut new) };
    check(HVECTOR, code).map(|()| new)
}

/// Some of one type, and at a distance some of another.
fn pair(lengths: [c_int; 2], far: MPI_Aint, types: [MPI_Datatype; 2]) -> Result<MPI_Datatype> {
    let (places, mut new) = ([0, far], ffi::MPI_DATATYPE_NULL);
    // SAFETY: three arrays of two entries each, of valid types; nothing is accessed.
    let code = unsafe {
        ffi::MPI_Type_create_struct(2, lengths.as_ptr(), places.as_ptr(), types.as_ptr(), &raw mut new)
    };
    check(&"MPI_Type_create_struct", code).map(|()| new)
}

/// Blocks that are one byte apart, in reverse. Open MPI takes a stride of -1 for the extent of the type, and would write
/// past the buffer (fault `stride-minus-one`); so they go in pairs, whose places are listed. That is right everywhere.
#[cold]
fn backwards(blocks: c_int, block: c_int, base: MPI_Datatype) -> Result<MPI_Datatype> {
    let (mut two, places) = (ffi::MPI_DATATYPE_NULL, [0, -1]);
    // SAFETY: an array of two places; a valid base type.
    let code = unsafe { ffi::MPI_Type_create_hindexed_block(2, block, places.as_ptr(), base, &raw mut two) };
    check(&"MPI_Type_create_hindexed_block", code)?;
    let two = Part(two);
    let pairs = Part(hvector(blocks / 2, 1, -2, two.0)?);
    pair([1, blocks % 2 * block], 1 - blocks as MPI_Aint, [pairs.0, base])
}

/// A committed type that covers `count` elements of `base`, one after the other, in chunks of at most `limit`.
#[cold]
#[inline(never)]
pub(crate) fn large(call: Call, count: usize, base: MPI_Datatype, limit: usize) -> Result<MPI_Datatype> {
    live(call)?;
    let (chunks, rest) = (count / limit, count % limit);
    let too_many = |_| Error::length(call, Argument::Count, count, limit.saturating_mul(limit));
    let chunks = c_int::try_from(chunks).map_err(too_many)?;
    let (mut lower, mut extent) = (0, 0);
    // SAFETY: a valid type; the out-arguments are ours.
    check(&"MPI_Type_get_extent", unsafe {
        ffi::MPI_Type_get_extent(base, &raw mut lower, &raw mut extent)
    })?;
    // The elements exist in memory, so their bytes fit into an address difference.
    let chunk_bytes = extent * limit as MPI_Aint;
    let whole = Part(hvector(chunks, limit as c_int, chunk_bytes as isize, base)?);
    let parts = Part(pair([1, rest as c_int], chunk_bytes * chunks as MPI_Aint, [whole.0, base])?);
    let mut all = ffi::MPI_DATATYPE_NULL;
    // Some libraries round the extent of a struct up, for the alignment of what is in it; the next block begins where this ends.
    // SAFETY: a valid type; any bounds are allowed.
    let code =
        unsafe { ffi::MPI_Type_create_resized(parts.0, lower, extent * count as MPI_Aint, &raw mut all) };
    check(&"MPI_Type_create_resized", code)?;
    // SAFETY: a type we have just made.
    check(&"MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&raw mut all) })?;
    Ok(all)
}

/// Frees a type that was made here, and that nobody posts with any more; operations in flight go on (MPI 4.1 §5.1.9).
/// Cold, so that calls that may have made a type keep everything in registers.
#[cold]
pub(crate) fn free(mut datatype: MPI_Datatype) {
    // SAFETY: a valid handle, by the sentence above.
    unsafe { ffi::MPI_Type_free(&raw mut datatype) };
}
