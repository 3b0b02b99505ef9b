//! What a piece says of itself: its element type and how many elements it has.

use crate::datatype::{Datatype, Field, Parts, Path, Primitive, RawDatatype};
use crate::environment::live;
use crate::error::Result;
use crate::ffi::{self, Call, check};

/// MPI's type of the elements, and their number. Values of `[f64; 3]` are three elements each, as in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub kind: u64,
    pub units: u64,
}

impl Label {
    /// `units` elements of the type that values of `T` are made of.
    pub(super) fn of<T: Datatype>(call: Call, units: usize) -> Result<Self> {
        Ok(Label { kind: kind::<T>(call)?, units: units as u64 })
    }

    pub(super) fn bits(self) -> [u64; 2] {
        [self.kind, self.units]
    }

    pub(super) fn from_bits([kind, units]: [u64; 2]) -> Self {
        Label { kind, units }
    }
}

/// The number of a type, the same in every process: its place among those that the standard names, or what a struct type
/// is made of.
fn kind<T: Datatype>(call: Call) -> Result<u64> {
    match T::PARTS.path {
        // What only its own implementation knows is told apart by its size.
        Path::Primitive(Primitive::Other) => Ok(of_kind(Primitive::Other, size(call, T::unit())? as u64)),
        Path::Primitive(primitive) => Ok(of_kind(primitive, 0)),
        Path::Struct(_) => Ok(of_kind(Primitive::Other, STRUCT | const { signature::<T>() })),
    }
}

/// Beyond the sizes of types.
const STRUCT: u64 = 1 << 55;

const fn of_kind(primitive: Primitive, details: u64) -> u64 {
    (primitive as u64) << 56 | details & (u64::MAX >> 8)
}

/// A number that differs, most likely, where the primitives of two struct types differ, or their order.
const fn signature<T: Datatype>() -> u64 {
    match T::PARTS.path {
        Path::Primitive(_) => 0,
        Path::Struct(fields) => mixed(FIRST, fields),
    }
}

/// Where FNV-1a begins, and what it multiplies by.
const FIRST: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0100_0000_01B3;

const fn mixed(mut hash: u64, fields: &[Field]) -> u64 {
    let mut i = 0;
    while i < fields.len() {
        let Parts { path, units, .. } = fields[i].parts;
        hash = (hash ^ units as u64).wrapping_mul(PRIME);
        hash = match path {
            Path::Primitive(primitive) => (hash ^ primitive as u64).wrapping_mul(PRIME),
            Path::Struct(inner) => mixed(hash, inner),
        };
        i += 1;
    }
    hash
}

/// How many bytes of data an element has (`MPI_Type_size_x`); more than there can be if MPI cannot say.
pub(super) fn size(call: Call, datatype: RawDatatype) -> Result<usize> {
    live(call)?;
    let mut size = 0;
    // SAFETY: a committed type; the out-argument is ours.
    check(&"MPI_Type_size_x", unsafe { ffi::MPI_Type_size_x(datatype.0, &raw mut size) })?;
    Ok(usize::try_from(size).unwrap_or(usize::MAX))
}
