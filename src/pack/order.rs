//! The order of bytes in "external32", where MPI is not told of the elements in a struct: with libraries that lose fields of
//! structs these are bytes to MPI (fault `torn-structs`), which it does not turn around.

use crate::datatype::{Datatype, Entry, Primitive, typemap};
use crate::quirks;

/// Whether MPI leaves the elements of values of `T` in the order of this machine.
pub(super) fn is_left<T: Datatype>() -> bool {
    let is_bytes = || T::PARTS.value_bytes().is_some() && T::PARTS.is_of_primitives();
    cfg!(target_endian = "little") && quirks::tears_structs() && is_bytes()
}

/// Turns the bytes of every element around, in values of `T` that are packed one after the other.
pub(super) fn turn<T: Datatype>(values: &mut [u8]) {
    let map = typemap::<T>();
    let mut rest = values;
    while !rest.is_empty() {
        for &Entry { primitive, count, .. } in map.entries() {
            let size = turned_at_once(primitive);
            let (elements, others) = rest.split_at_mut((count * primitive.size()).min(rest.len()));
            elements.chunks_exact_mut(size).for_each(<[u8]>::reverse);
            rest = others;
        }
    }
}

/// A complex number is two numbers.
fn turned_at_once(primitive: Primitive) -> usize {
    match primitive {
        Primitive::ComplexFloat | Primitive::ComplexDouble => primitive.size() / 2,
        _ => primitive.size(),
    }
}
