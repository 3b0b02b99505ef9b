//! What MPI is told of a type, to be printed.

use super::Datatype;
use super::parts::{Parts, Path, Primitive};
use std::fmt;

/// The typemap of a Rust type, and how its values are described to MPI; see [`typemap`].
#[derive(Clone, PartialEq, Eq)]
pub struct Typemap {
    entries: Vec<Entry>,
    extent: usize,
    is_struct: bool,
}

/// So many elements of one primitive, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Bytes from the start of the value.
    pub offset: usize,
    /// What is there.
    pub primitive: Primitive,
    /// How many.
    pub count: usize,
}

/// What a value of `T` consists of for MPI (MPI 4.1 §5.1), and which way it is described.
///
/// A type whose parts are of one primitive, without padding, is a row of that primitive, which libraries send fastest;
/// any other is a struct type (`MPI_Type_create_struct`, resized to `size_of::<T>()`). Asks MPI nothing.
///
/// ```
/// #[derive(Clone, Copy, mpi::Datatype)]
/// struct Particle {
///     position: [f64; 3],
///     charge: f64,
/// }
/// #[derive(Clone, Copy, mpi::Datatype)]
/// #[repr(C)]
/// struct Cell {
///     value: f64,
///     id: u32,
/// }
/// use mpi::datatype::typemap;
/// assert_eq!(format!("{:?}", typemap::<Particle>()), "4 x Double");
/// assert_eq!(format!("{:?}", typemap::<Cell>()), "struct { 0: Double, 8: Uint32 } of 16 bytes");
/// ```
pub fn typemap<T: Datatype>() -> Typemap {
    let mut entries = Vec::new();
    list(&T::PARTS, 0, &mut entries);
    Typemap { entries, extent: size_of::<T>(), is_struct: matches!(T::PARTS.path, Path::Struct(_)) }
}

fn list(parts: &Parts, at: usize, entries: &mut Vec<Entry>) {
    match parts.path {
        _ if parts.units == 0 => (),
        Path::Primitive(primitive) => add(Entry { offset: at, primitive, count: parts.units }, entries),
        Path::Struct(fields) => {
            let size = parts.size / parts.units;
            for unit in 0..parts.units {
                for field in fields {
                    list(&field.parts, at + unit * size + field.offset, entries);
                }
            }
        }
    }
}

/// Adds an entry, to the one before it if it goes on there.
fn add(entry: Entry, entries: &mut Vec<Entry>) {
    match entries.last_mut() {
        Some(last)
            if last.primitive == entry.primitive
                && last.offset + last.count * last.primitive.size() == entry.offset =>
        {
            last.count += entry.count;
        }
        _ => entries.push(entry),
    }
}

impl Typemap {
    /// The primitives and where they are, in the order in which they travel.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Bytes from one value to the next: `size_of::<T>()`.
    pub fn extent(&self) -> usize {
        self.extent
    }

    /// Bytes that travel for each value.
    pub fn size(&self) -> usize {
        self.entries.iter().map(|entry| entry.count * entry.primitive.size()).sum()
    }

    /// Whether a struct type describes the values; if not, they are rows of one primitive.
    pub fn is_struct(&self) -> bool {
        self.is_struct
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "{:?}", self.primitive),
            n => write!(f, "{n} x {:?}", self.primitive),
        }
    }
}

impl fmt::Debug for Typemap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_struct {
            return match self.entries.first() {
                Some(entry) => write!(f, "{entry}"),
                None => f.write_str("nothing"),
            };
        }
        let mut between = "struct { ";
        for entry in &self.entries {
            write!(f, "{between}{}: {entry}", entry.offset)?;
            between = ", ";
        }
        write!(f, " }} of {} bytes", self.extent)
    }
}
