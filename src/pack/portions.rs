//! What is packed by several calls: more elements than MPI's functions count with an `int`.

use super::form::Elements;
use crate::buffer::{INT_MAX, Region};
use crate::datatype::Datatype;
use crate::error::{Error, Needs, Result};
use crate::ffi::Call;
use std::os::raw::c_int;

/// The most bytes of one call, but for a single element that has more: half of what an `int` counts, since the packed form may
/// be longer.
const MOST: usize = INT_MAX / 2;

/// A region of elements of `T` in portions, each for one call, one at least. An element of MPI's has `unit` bytes.
///
/// # Errors
/// A view, which is one element to MPI and cannot be divided, or a single element, has more bytes than an `int` counts.
pub(super) fn portions<T: Datatype>(
    call: Call,
    region: Region,
    unit: usize,
) -> Result<impl Iterator<Item = Elements>> {
    let Region { ptr, len, count, datatype } = region;
    let is_view = datatype.0 != T::unit().0;
    let most = if is_view { count } else { MOST / unit.max(1) }.max(1);
    let bytes = unit.saturating_mul(if is_view { len.saturating_mul(T::UNITS) } else { most.min(count) });
    if c_int::try_from(bytes).is_err() || c_int::try_from(most.min(count)).is_err() {
        return Err(Error::unsupported(call, Needs::LargeCount));
    }
    // The bytes in memory from one element of MPI's to the next.
    let apart = size_of::<T>() / T::UNITS.max(1);
    Ok((0..count.div_ceil(most).max(1)).map(move |i| {
        let done = i * most;
        let ptr = ptr.wrapping_byte_add(done * apart);
        Elements { ptr, count: most.min(count - done) as c_int, datatype }
    }))
}
