//! What MPI is told of each type.

use crate::types::*;
use mpi::Datatype;
use mpi::datatype::{Primitive, typemap};
use std::mem::offset_of;

fn shown<T: Datatype>() -> String {
    format!("{:?}", typemap::<T>())
}

#[test]
fn one_primitive_without_padding_is_a_row_of_it() {
    assert_eq!(shown::<Uniform>(), "3 x Double");
    assert_eq!(shown::<Transparent>(), "Float");
    assert_eq!(shown::<Generic<u8, 3>>(), "4 x Uint8");
    assert_eq!(shown::<[Uniform; 2]>(), "6 x Double");
    assert_eq!(shown::<Color>(), "Uint8");
    assert_eq!(shown::<Signed>(), "Int32");
    assert_eq!(shown::<Bytes>(), "16 x Byte");
    assert_eq!(shown::<Unit>(), "nothing");
    assert_eq!(shown::<WithoutBytes>(), "nothing");
    assert!(!typemap::<Uniform>().is_struct());
}

#[test]
fn all_else_is_a_struct_type() {
    assert_eq!(shown::<InC>(), "struct { 0: Uint8, 8: Double, 16: Uint16 } of 24 bytes");
    assert_eq!(shown::<Packed>(), "struct { 0: Uint8, 1: Double, 9: Uint16 } of 11 bytes");
    assert_eq!(shown::<Aligned>(), "struct { 0: Uint8, 4: Int32 } of 32 bytes");
    let of_two = typemap::<[InC; 2]>();
    assert_eq!(of_two.entries().len(), 6);
    assert_eq!((of_two.entries()[4].offset, of_two.entries()[4].primitive), (32, Primitive::Double));
    assert_eq!((of_two.size(), of_two.extent(), of_two.is_struct()), (22, 48, true));
}

/// The compiler chooses the order of fields; the typemap follows the declaration.
#[test]
fn offsets_are_the_compilers() {
    let map = typemap::<Mixed>();
    let offsets: Vec<usize> = map.entries().iter().map(|entry| entry.offset).collect();
    assert_eq!(offsets, [offset_of!(Mixed, a), offset_of!(Mixed, b), offset_of!(Mixed, c)]);
}

#[test]
fn skipped_fields_are_not_there() {
    let map = typemap::<Skipping>();
    assert_eq!((map.size(), map.extent()), (5, size_of::<Skipping>()));
}
