//! What a type is made of, as constants: what a derive computes, and what decides the MPI type of a value.

use super::padding::Padding;
use super::{Datatype, RawDatatype};
use crate::ffi;
use std::fmt;

/// A predefined MPI type that values are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Primitive {
    /// `MPI_INT8_T`.
    Int8,
    /// `MPI_INT16_T`.
    Int16,
    /// `MPI_INT32_T`.
    Int32,
    /// `MPI_INT64_T`.
    Int64,
    /// `MPI_UINT8_T`.
    Uint8,
    /// `MPI_UINT16_T`.
    Uint16,
    /// `MPI_UINT32_T`, also of `char`.
    Uint32,
    /// `MPI_UINT64_T`.
    Uint64,
    /// `MPI_FLOAT`.
    Float,
    /// `MPI_DOUBLE`.
    Double,
    /// `MPI_C_FLOAT_COMPLEX`.
    ComplexFloat,
    /// `MPI_C_DOUBLE_COMPLEX`.
    ComplexDouble,
    /// `MPI_C_BOOL`.
    Bool,
    /// `MPI_BYTE`: 128-bit integers, and types that ask for it.
    Byte,
    /// A type of which only its hand-written implementation of [`Datatype`] knows.
    Other,
}

impl Primitive {
    /// The bytes of one (`MPI_Type_size`); 0 of [`Other`](Primitive::Other), since nobody knows.
    pub const fn size(self) -> usize {
        match self {
            Primitive::Int8 | Primitive::Uint8 | Primitive::Bool | Primitive::Byte => 1,
            Primitive::Int16 | Primitive::Uint16 => 2,
            Primitive::Int32 | Primitive::Uint32 | Primitive::Float => 4,
            Primitive::Int64 | Primitive::Uint64 | Primitive::Double | Primitive::ComplexFloat => 8,
            Primitive::ComplexDouble => 16,
            Primitive::Other => 0,
        }
    }

    #[inline(always)]
    pub(crate) fn raw(self) -> RawDatatype {
        RawDatatype(match self {
            Primitive::Int8 => ffi::MPI_INT8_T,
            Primitive::Int16 => ffi::MPI_INT16_T,
            Primitive::Int32 => ffi::MPI_INT32_T,
            Primitive::Int64 => ffi::MPI_INT64_T,
            Primitive::Uint8 => ffi::MPI_UINT8_T,
            Primitive::Uint16 => ffi::MPI_UINT16_T,
            Primitive::Uint32 => ffi::MPI_UINT32_T,
            Primitive::Uint64 => ffi::MPI_UINT64_T,
            Primitive::Float => ffi::MPI_FLOAT,
            Primitive::Double => ffi::MPI_DOUBLE,
            Primitive::ComplexFloat => ffi::MPI_C_FLOAT_COMPLEX,
            Primitive::ComplexDouble => ffi::MPI_C_DOUBLE_COMPLEX,
            Primitive::Bool => ffi::MPI_C_BOOL,
            Primitive::Byte => ffi::MPI_BYTE,
            Primitive::Other => ffi::MPI_DATATYPE_NULL,
        })
    }
}

/// What one MPI element of a value is.
#[derive(Clone, Copy)]
pub(crate) enum Path {
    /// One primitive: the values are rows of it, without gaps.
    Primitive(Primitive),
    /// A struct type of these fields, as large as the value.
    Struct(&'static [Field]),
}

/// What a value is made of.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Parts {
    pub(crate) path: Path,
    /// MPI elements of one value.
    pub(crate) units: usize,
    /// Predefined elements of one value: what `MPI_Get_elements` counts.
    pub(crate) elements: usize,
    /// `size_of` the value.
    pub(crate) size: usize,
    /// How many of its bytes travel.
    pub(crate) bytes: usize,
    /// From the first of them to the last. What lies outside is padding that MPI makes no room for in memory of its own.
    pub(crate) span: (usize, usize),
    /// Whether `elements` is right: nobody knows of what the type of a hand-written implementation is made.
    pub(crate) is_known: bool,
}

/// A field that travels.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Field {
    pub(crate) offset: usize,
    pub(crate) parts: Parts,
    pub(crate) unit: fn() -> RawDatatype,
}

impl Field {
    /// A field of type `F`.
    pub const fn of<F: Datatype>(offset: usize) -> Self {
        Field { offset, parts: F::PARTS, unit: F::unit }
    }
}

impl Parts {
    /// Whether there is padding before what travels of a value, or behind it.
    pub(crate) const fn is_padded(&self) -> bool {
        self.bytes > 0 && (self.span.0 > 0 || self.span.1 < self.size)
    }

    /// Whether values are rows of one primitive, every byte of which travels.
    pub(crate) const fn is_row(&self) -> bool {
        matches!(self.path, Path::Primitive(_)) && self.bytes == self.size
    }

    /// Whether all that travels is of primitives that this crate knows.
    pub(crate) fn is_of_primitives(&self) -> bool {
        match self.path {
            Path::Primitive(primitive) => primitive != Primitive::Other,
            Path::Struct(fields) => fields.iter().all(|field| field.parts.is_of_primitives()),
        }
    }

    /// `n` of one primitive, which fill the value.
    pub(crate) const fn primitive(primitive: Primitive, n: usize) -> Self {
        let size = n * primitive.size();
        let path = Path::Primitive(primitive);
        Parts { path, units: n, elements: n, size, bytes: size, span: (0, size), is_known: true }
    }

    /// Of a hand-written type.
    pub(crate) const fn other(units: usize, size: usize) -> Self {
        let path = Path::Primitive(Primitive::Other);
        Parts { path, units, elements: units, size, bytes: 0, span: (0, size), is_known: false }
    }

    /// `n` values, one after the other.
    pub(crate) const fn array(self, n: usize) -> Self {
        let Parts { path, units, elements, size, bytes, span: (first, last), is_known } = self;
        let span = if n == 0 { (0, 0) } else { (first, (n - 1) * size + last) };
        Parts {
            path,
            units: n * units,
            elements: n * elements,
            size: n * size,
            bytes: n * bytes,
            span,
            is_known,
        }
    }

    /// A struct of the fields of `T`: a row of one primitive if they are that, without padding, else a struct type.
    pub const fn structure<T: Datatype>() -> Self {
        Self::of_fields(size_of::<T>(), T::FIELDS)
    }

    const fn of_fields(size: usize, fields: &'static [Field]) -> Self {
        let (mut elements, mut bytes, mut is_known) = (0, 0, true);
        let (mut first, mut last) = (size, 0);
        let mut primitive = Primitive::Byte;
        let (mut is_uniform, mut is_first, mut end, mut i) = (true, true, 0, 0);
        while i < fields.len() {
            let part = fields[i].parts;
            elements += part.elements;
            bytes += part.bytes;
            is_known &= part.is_known;
            if part.units > 0 {
                let (from, to) = (fields[i].offset + part.span.0, fields[i].offset + part.span.1);
                first = if from < first { from } else { first };
                last = if to > last { to } else { last };
                // They travel as they are declared, wherever this compiler puts them and the peer's does.
                is_uniform &= end <= from;
                end = to;
                match part.path {
                    Path::Primitive(p) if is_first => primitive = p,
                    Path::Primitive(p) => is_uniform &= p as u8 == primitive as u8,
                    Path::Struct(_) => is_uniform = false,
                }
                is_first = false;
            }
            i += 1;
        }
        let (path, units) = if elements == 0 {
            (Path::Primitive(Primitive::Byte), 0)
        } else if is_uniform && elements * primitive.size() == size {
            (Path::Primitive(primitive), elements)
        } else {
            (Path::Struct(fields), 1)
        };
        let span = if elements == 0 { (0, 0) } else { (first, last) };
        Parts { path, units, elements, size, bytes, span, is_known }
    }

    /// The bytes of a struct, whose fields must leave none out.
    pub const fn bytes<T: Datatype>() -> Self {
        assert!(
            Self::structure::<T>().bytes == size_of::<T>(),
            "`#[mpi(bytes)]` is for types without padding: it would be sent"
        );
        Self::primitive(Primitive::Byte, size_of::<T>())
    }

    /// That there is no padding at the field of `T` with this number: a derive asks for each where it is declared, before it
    /// asks for the bytes of all.
    #[track_caller]
    pub const fn unpadded<T: Datatype>(number: usize) {
        Padding::at(T::FIELDS, number, size_of::<T>()).refuse();
    }

    /// An enum that is an integer.
    pub const fn integer<E, I: Datatype>() -> Self {
        assert!(
            size_of::<E>() == size_of::<I>() && align_of::<E>() == align_of::<I>(),
            "an enum that is larger than its integer cannot be sent: its padding would be. Leave out the `align`"
        );
        I::PARTS
    }

    /// The bytes of a value that travel, if a struct type describes them.
    pub(crate) fn value_bytes(&self) -> Option<usize> {
        matches!(self.path, Path::Struct(_)).then_some(self.bytes)
    }

    /// How many predefined elements so many bytes of values are that travel one after the other; `None` if the last is not whole.
    pub(crate) fn elements_in(&self, mut bytes: usize) -> Option<usize> {
        let values = bytes.checked_div(self.bytes).unwrap_or(0);
        bytes -= values * self.bytes;
        let elements = values * self.elements + self.take(&mut bytes);
        (bytes == 0).then_some(elements)
    }

    /// Takes the elements of one value from the front of the bytes, as many as are whole.
    fn take(&self, bytes: &mut usize) -> usize {
        if *bytes >= self.bytes {
            *bytes -= self.bytes;
            return self.elements;
        }
        let fields = match self.path {
            Path::Primitive(primitive) => {
                let elements = bytes.checked_div(primitive.size()).unwrap_or(0);
                *bytes -= elements * primitive.size();
                return elements;
            }
            Path::Struct(fields) => fields,
        };
        let (unit, each) = (self.bytes / self.units, self.elements / self.units);
        let mut elements = *bytes / unit * each;
        *bytes %= unit;
        for Field { parts, .. } in fields {
            let is_whole = *bytes >= parts.bytes;
            elements += parts.take(bytes);
            if !is_whole {
                break;
            }
        }
        elements
    }

    /// MPI elements of one value.
    pub const fn units(&self) -> usize {
        self.units
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("units", &self.units).field("size", &self.size).finish_non_exhaustive()
    }
}
impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field")
            .field("offset", &self.offset)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}
