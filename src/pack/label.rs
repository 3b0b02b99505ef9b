//! What a piece says of itself: its element type and how many elements it has.

use crate::datatype::{Datatype, RawDatatype};
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
        Ok(Label { kind: kind(call, T::unit())?, units: units as u64 })
    }

    pub(super) fn bits(self) -> [u64; 2] {
        [self.kind, self.units]
    }

    pub(super) fn from_bits([kind, units]: [u64; 2]) -> Self {
        Label { kind, units }
    }
}

/// The number of a type: its place among those that the standard names, else what tells types of the user's apart that
/// differ in size. Not a handle, which means nothing to another process.
fn kind(call: Call, datatype: RawDatatype) -> Result<u64> {
    let size = size(call, datatype)? as u64;
    let named = [
        ffi::MPI_BYTE,
        ffi::MPI_PACKED,
        ffi::MPI_INT8_T,
        ffi::MPI_INT16_T,
        ffi::MPI_INT32_T,
        ffi::MPI_INT64_T,
        ffi::MPI_UINT8_T,
        ffi::MPI_UINT16_T,
        ffi::MPI_UINT32_T,
        ffi::MPI_UINT64_T,
        ffi::MPI_FLOAT,
        ffi::MPI_DOUBLE,
        ffi::MPI_C_BOOL,
    ];
    let place = named.iter().position(|&name| name == datatype.0).unwrap_or(named.len());
    Ok((place as u64) << 56 | size)
}

/// How many bytes of data an element has (`MPI_Type_size`).
pub(super) fn size(call: Call, datatype: RawDatatype) -> Result<usize> {
    live(call)?;
    let mut size = 0;
    // SAFETY: a committed type; the out-argument is ours.
    check(&"MPI_Type_size", unsafe { ffi::MPI_Type_size(datatype.0, &raw mut size) })?;
    Ok(usize::try_from(size).unwrap_or(0))
}
