//! Results: zeros that MPI fills, from the allocator's own zeroed memory, and the check of what arrived.

use crate::datatype::{AnyBits, FromBits};
use std::alloc::{Layout, alloc, alloc_zeroed, handle_alloc_error};
use std::hint::black_box;

/// Up to here allocators have memory at hand, which glibc's does not take for what is to be zeroed.
const SMALL: usize = 1024;

/// `len` zero values. A collective's result starts as this: a peer that brings less than agreed leaves a tail that
/// no library reports.
///
/// # Panics
/// If the bytes exceed `isize::MAX`, as `Vec::with_capacity` does.
pub(crate) fn zeroed_vec<T: AnyBits>(len: usize) -> Vec<T> {
    let layout = Layout::array::<T>(len).expect("capacity overflow");
    if layout.size() == 0 {
        return vec![zeroed(); len]; // no memory is needed
    }
    let allocate = if layout.size() <= SMALL { alloc } else { alloc_zeroed };
    // SAFETY: the size is not 0.
    let memory = unsafe { allocate(layout) };
    if memory.is_null() {
        handle_alloc_error(layout);
    }
    if layout.size() <= SMALL {
        // The compiler would make one of the two, and ask for zeroed memory after all.
        // SAFETY: so many bytes were allocated.
        unsafe { black_box(memory).write_bytes(0, layout.size()) };
    }
    // SAFETY: allocated above with the layout of `len` values of `T`; all-zero bits are values of an `AnyBits` type.
    unsafe { Vec::from_raw_parts(memory.cast::<T>(), len, len) }
}

/// One zero value.
pub(crate) fn zeroed<T: AnyBits>() -> T {
    // SAFETY: every bit pattern is a value of an `AnyBits` type.
    unsafe { std::mem::zeroed() }
}

/// What an implementation of `FromBits` promises, seen by the compiler.
const fn has_bits_of_its_shape<T: FromBits>() {
    assert!(size_of::<T::Bits>() == size_of::<T>() && align_of::<T::Bits>() == align_of::<T>());
}

/// The value that the bits spell, if they spell one.
pub(crate) fn from_bits<T: FromBits>(mut bits: T::Bits) -> Option<T> {
    const { has_bits_of_its_shape::<T>() };
    T::complete(&mut bits);
    // SAFETY: `Bits` has the size of `T`, and the bits were found valid.
    T::valid(&bits).then(|| unsafe { std::mem::transmute_copy::<T::Bits, T>(&bits) })
}

/// The values that the bits spell, in the same memory; or the index of the first that is none.
pub(crate) fn vec_from_bits<T: FromBits>(mut bits: Vec<T::Bits>) -> Result<Vec<T>, usize> {
    const { has_bits_of_its_shape::<T>() };
    bits.iter_mut().for_each(T::complete); // nothing, unless a field does not travel
    if let Some(index) = bits.iter().position(|b| !T::valid(b)) {
        return Err(index);
    }
    let mut bits = std::mem::ManuallyDrop::new(bits);
    // SAFETY: `Bits` has the size and alignment of `T`, so this is the layout the memory was allocated with; every
    // element was found valid; the old vector is not dropped.
    Ok(unsafe { Vec::from_raw_parts(bits.as_mut_ptr().cast::<T>(), bits.len(), bits.capacity()) })
}
