//! Results that a call makes: zeroed, filled by MPI, checked.

use crate::buffer::Region;
use crate::buffer::zeroed::{vec_from_bits, zeroed, zeroed_vec};
use crate::datatype::{AnyBits, FromBits};
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;

/// Zeros for `n` elements, of which a peer may have told: more than an address reaches are an error.
pub(super) fn room<T: FromBits>(call: Call, n: usize) -> Result<Vec<T::Bits>> {
    let most = isize::MAX as usize / size_of::<T>().max(1);
    if n <= most { Ok(zeroed_vec(n)) } else { Err(Error::length(call, Argument::Count, n, most)) }
}

/// `n` elements that `fill` lets MPI write.
pub(super) fn filled<T: FromBits>(
    call: Call,
    n: usize,
    fill: impl FnOnce(Region) -> Result<()>,
) -> Result<Vec<T>> {
    let mut bits = room::<T>(call, n)?;
    fill(Region::contiguous::<T>(bits.as_mut_ptr().cast(), n))?;
    vec_from_bits(bits).map_err(|index| Error::invalid(call, index))
}

/// The same into a vector that is kept from call to call: it gets `n` elements, of which only those it did not have are
/// zeroed first.
pub(super) fn refilled<T: AnyBits>(
    call: Call,
    all: &mut Vec<T>,
    n: usize,
    fill: impl FnOnce(Region) -> Result<()>,
) -> Result<()> {
    if n > all.capacity() {
        *all = Vec::new(); // nothing of what it held is needed: growing would copy it, and there need not be room for both
        *all = room::<T>(call, n)?;
    } else {
        all.resize(n, zeroed());
    }
    fill(Region::contiguous::<T>(all.as_mut_ptr(), n))
}

/// A block of `len` elements from each of `n` ranks.
pub(super) fn collected<T: FromBits>(
    call: Call,
    (len, n): (usize, usize),
    fill: impl FnOnce(Region) -> Result<()>,
) -> Result<Vec<T>> {
    let all = len.checked_mul(n).ok_or_else(|| Error::length(call, Argument::Count, len, usize::MAX / n))?;
    filled(call, all, fill)
}
