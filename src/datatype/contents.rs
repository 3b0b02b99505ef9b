//! What MPI itself says of a type: how it was made, of what, how large it is. For diagnosis, and for what only MPI knows.
//!
//! Standard: MPI 4.1, sections 5.1.13 "Decoding a Datatype" and 19.1.5 "Additional Support for Fortran Numeric Intrinsic
//! Types".
#![allow(unsafe_code)]
#![allow(clippy::unnecessary_cast, reason = "`MPI_Aint` is an `isize` with one library and not with another")]

use super::layout::{Ask, asked, size};
use super::{Datatype, Layout, RawDatatype};
use crate::environment::hold;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Aint, MPI_Datatype, check};
use std::ffi::CString;
use std::os::raw::{c_char, c_int};

/// By which constructor a type was made (`MPI_Type_get_envelope`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Combiner {
    /// MPI's own.
    Named,
    /// `MPI_Type_create_hvector`
    Hvector,
    /// `MPI_Type_create_hindexed`
    Hindexed,
    /// `MPI_Type_create_struct`
    Struct,
    /// `MPI_Type_create_resized`
    Resized,
    /// `MPI_Type_create_f90_real`
    F90Real,
    /// `MPI_Type_create_f90_complex`
    F90Complex,
    /// `MPI_Type_create_f90_integer`
    F90Integer,
    /// Another one, by the library's number.
    Other(i32),
}

/// What kind of numbers [`Contents::match_size`] looks among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeClass {
    /// `MPI_TYPECLASS_REAL`
    Real,
    /// `MPI_TYPECLASS_INTEGER`
    Integer,
    /// `MPI_TYPECLASS_COMPLEX`
    Complex,
}

/// A type as MPI sees it. All lengths are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias("MPI_Type_get_envelope", "MPI_Type_get_contents"))]
pub struct Contents {
    /// How it was made.
    pub combiner: Combiner,
    /// The integer arguments of the constructor.
    pub integers: Vec<i32>,
    /// Its address arguments.
    pub addresses: Vec<isize>,
    /// What it was made of.
    pub parts: Vec<Contents>,
    /// Its name, empty if it has none.
    pub name: String,
    /// How many bytes travel.
    pub size: usize,
    /// Lower bound and extent.
    pub extent: (isize, isize),
    /// The same for what is there.
    pub true_extent: (isize, isize),
}

impl Contents {
    /// MPI's type of the elements of `T`.
    ///
    /// # Errors
    /// MPI does not run, or may not be called on this thread.
    pub fn of<T: Datatype>() -> Result<Contents> {
        let _mpi = hold(&"MPI_Type_get_envelope")?;
        read(T::unit().0)
    }

    /// MPI's type for Fortran's `selected_real_kind(precision, range)` (`MPI_Type_create_f90_real`, MPI 4.1 §19.1.5).
    ///
    /// # Errors
    /// The library knows no such type, or nothing of Fortran.
    #[doc(alias = "MPI_Type_create_f90_real")]
    pub fn f90_real(precision: Option<u32>, range: Option<u32>) -> Result<Contents> {
        f90(&"MPI_Type_create_f90_real", precision, range, ffi::MPI_Type_create_f90_real)
    }

    /// MPI's type for a complex number of two such parts (`MPI_Type_create_f90_complex`, MPI 4.1 §19.1.5).
    ///
    /// # Errors
    /// The library knows no such type, or nothing of Fortran.
    #[doc(alias = "MPI_Type_create_f90_complex")]
    pub fn f90_complex(precision: Option<u32>, range: Option<u32>) -> Result<Contents> {
        f90(&"MPI_Type_create_f90_complex", precision, range, ffi::MPI_Type_create_f90_complex)
    }

    /// MPI's type for Fortran's `selected_int_kind(range)` (`MPI_Type_create_f90_integer`, MPI 4.1 §19.1.5).
    ///
    /// # Errors
    /// The library knows no such type, or nothing of Fortran.
    #[doc(alias = "MPI_Type_create_f90_integer")]
    pub fn f90_integer(range: u32) -> Result<Contents> {
        const CALL: Call = &"MPI_Type_create_f90_integer";
        let range = digits(CALL, Some(range))?;
        made(CALL, |new| {
            // SAFETY: a number that the library looks up; the out-argument is ours; MPI is live (`made`).
            unsafe { ffi::MPI_Type_create_f90_integer(range, new) }
        })
    }

    /// MPI's type for Fortran's numbers of so many bytes (`MPI_Type_match_size`, MPI 4.1 §19.1.5).
    ///
    /// # Errors
    /// The library knows no such type, or nothing of Fortran.
    #[doc(alias = "MPI_Type_match_size")]
    pub fn match_size(class: TypeClass, bytes: usize) -> Result<Contents> {
        const CALL: Call = &"MPI_Type_match_size";
        let too_many = |_| Error::length(CALL, Argument::Count, bytes, c_int::MAX as usize);
        let size = c_int::try_from(bytes).map_err(too_many)?;
        let class = match class {
            TypeClass::Real => ffi::MPI_TYPECLASS_REAL,
            TypeClass::Integer => ffi::MPI_TYPECLASS_INTEGER,
            TypeClass::Complex => ffi::MPI_TYPECLASS_COMPLEX,
        };
        made(CALL, |new| {
            // SAFETY: a class and a size that the library looks up; the out-argument is ours; MPI is live (`made`).
            unsafe { ffi::MPI_Type_match_size(class, size, new) }
        })
    }
}

impl<T: Datatype> Layout<T> {
    /// What MPI has made of the layout; where it needs no type of its own, that of the elements. Bounds and a shift of all
    /// elements are left to the address and not told MPI.
    ///
    /// # Errors
    /// MPI does not run, or may not be called on this thread; or it has refused the type.
    #[doc(alias("MPI_Type_get_envelope", "MPI_Type_get_contents"))]
    pub fn contents(&self) -> Result<Contents> {
        let _mpi = hold(&"MPI_Type_get_envelope")?;
        let datatype = self.own_type()?.unwrap_or(T::unit());
        read(datatype.0)
    }

    /// Gives MPI's type of the layout a name, which debuggers and [`Contents`] show (`MPI_Type_set_name`, MPI 4.1 §7.8). Where
    /// a layout needs no type of its own, nothing has the name.
    ///
    /// # Errors
    /// The name is too long or has a NUL in it; MPI does not run, or may not be called on this thread.
    #[doc(alias("MPI_Type_set_name", "MPI_Type_get_name"))]
    pub fn set_name(&self, name: &str) -> Result<()> {
        const CALL: Call = &"MPI_Type_set_name";
        let _mpi = hold(CALL)?;
        let bound = ffi::MPI_MAX_OBJECT_NAME as usize - 1;
        let refused = || Error::length(CALL, Argument::Name, name.len(), bound);
        let name =
            CString::new(name).ok().filter(|name| name.as_bytes().len() <= bound).ok_or_else(refused)?;
        let Some(RawDatatype(datatype)) = self.own_type()? else { return Ok(()) };
        // SAFETY: a type of this layout's own, and a string that ends with a NUL; MPI copies it.
        check(CALL, unsafe { ffi::MPI_Type_set_name(datatype, name.as_ptr().cast_mut()) })
    }
}

/// Digits as MPI takes them.
fn digits(call: Call, digits: Option<u32>) -> Result<c_int> {
    let too_many = |n| Error::length(call, Argument::Count, n as usize, c_int::MAX as usize);
    digits.map_or(Ok(ffi::MPI_UNDEFINED), |n| c_int::try_from(n).map_err(|_| too_many(n)))
}

type F90 = unsafe extern "C" fn(c_int, c_int, *mut MPI_Datatype) -> c_int;

fn f90(call: Call, precision: Option<u32>, range: Option<u32>, create: F90) -> Result<Contents> {
    let (precision, range) = (digits(call, precision)?, digits(call, range)?);
    made(call, |new| {
        // SAFETY: one of MPI's functions of this signature; numbers that the library looks up; the out-argument is ours; MPI
        // is live (`made`).
        unsafe { create(precision, range, new) }
    })
}

/// What MPI says of a type that it has already and only looks up.
fn made(call: Call, create: impl FnOnce(*mut MPI_Datatype) -> c_int) -> Result<Contents> {
    let _mpi = hold(call)?;
    let mut datatype = ffi::MPI_DATATYPE_NULL;
    check(call, create(&raw mut datatype))?;
    if datatype == ffi::MPI_DATATYPE_NULL {
        return Err(Error::from_code(call, ffi::MPI_ERR_ARG, ffi::MPI_ERR_ARG));
    }
    read(datatype)
}

/// All that MPI says of a type. MPI is live.
fn read(datatype: MPI_Datatype) -> Result<Contents> {
    let (combiner, [integers, addresses, types]) = envelope(datatype)?;
    let mut contents = Contents {
        combiner,
        integers: vec![0; integers],
        addresses: vec![0; addresses],
        parts: Vec::new(),
        name: name(datatype)?,
        size: size(datatype)? as usize,
        extent: measured(&"MPI_Type_get_extent", datatype, ffi::MPI_Type_get_extent)?,
        true_extent: measured(&"MPI_Type_get_true_extent", datatype, ffi::MPI_Type_get_true_extent)?,
    };
    if is_predefined(combiner) {
        return Ok(contents);
    }
    let mut parts = vec![ffi::MPI_DATATYPE_NULL; types];
    let mut places: Vec<MPI_Aint> = vec![0; addresses];
    // SAFETY: three arrays of as many entries as are given; the type is derived.
    let code = unsafe {
        ffi::MPI_Type_get_contents(
            datatype,
            integers as c_int,
            addresses as c_int,
            types as c_int,
            contents.integers.as_mut_ptr(),
            places.as_mut_ptr(),
            parts.as_mut_ptr(),
        )
    };
    check(&"MPI_Type_get_contents", code)?;
    contents.addresses = places.into_iter().map(bytes).collect();
    let read: Vec<_> = parts.iter().map(|&part| read(part)).collect();
    for mut part in parts {
        if envelope(part).is_ok_and(|(combiner, _)| !is_predefined(combiner)) {
            // SAFETY: a derived type that `MPI_Type_get_contents` gave, which the caller frees (MPI 4.1 §5.1.13).
            unsafe { ffi::MPI_Type_free(&raw mut part) };
        }
    }
    contents.parts = read.into_iter().collect::<Result<_>>()?;
    Ok(contents)
}

/// Two measures of a type, which MPI has in a type of its own.
fn measured(call: Call, datatype: MPI_Datatype, ask: Ask) -> Result<(isize, isize)> {
    let (lower, extent) = asked(call, datatype, ask)?;
    Ok((bytes(lower), bytes(extent)))
}

/// Bytes as Rust counts them.
#[allow(clippy::unnecessary_cast, reason = "MPI's type is `isize` or `i64`, by library")]
fn bytes(distance: MPI_Aint) -> isize {
    distance as isize
}

/// How a type was made, and how many integers, addresses and types that took.
fn envelope(datatype: MPI_Datatype) -> Result<(Combiner, [usize; 3])> {
    let (mut integers, mut addresses, mut types, mut combiner) = (0, 0, 0, 0);
    // SAFETY: a valid type; the out-arguments are ours.
    let code = unsafe {
        ffi::MPI_Type_get_envelope(
            datatype,
            &raw mut integers,
            &raw mut addresses,
            &raw mut types,
            &raw mut combiner,
        )
    };
    check(&"MPI_Type_get_envelope", code)?;
    Ok((Combiner::from_raw(combiner), [integers, addresses, types].map(|n| usize::try_from(n).unwrap_or(0))))
}

impl Combiner {
    fn from_raw(combiner: c_int) -> Self {
        const KNOWN: [(c_int, Combiner); 8] = [
            (ffi::MPI_COMBINER_NAMED, Combiner::Named),
            (ffi::MPI_COMBINER_HVECTOR, Combiner::Hvector),
            (ffi::MPI_COMBINER_HINDEXED, Combiner::Hindexed),
            (ffi::MPI_COMBINER_STRUCT, Combiner::Struct),
            (ffi::MPI_COMBINER_RESIZED, Combiner::Resized),
            (ffi::MPI_COMBINER_F90_REAL, Combiner::F90Real),
            (ffi::MPI_COMBINER_F90_COMPLEX, Combiner::F90Complex),
            (ffi::MPI_COMBINER_F90_INTEGER, Combiner::F90Integer),
        ];
        let known = KNOWN.iter().find(|(number, _)| *number == combiner);
        known.map_or(Combiner::Other(combiner), |&(_, known)| known)
    }
}

/// Whether a type is MPI's, and never freed.
fn is_predefined(combiner: Combiner) -> bool {
    matches!(combiner, Combiner::Named | Combiner::F90Real | Combiner::F90Complex | Combiner::F90Integer)
}

fn name(datatype: MPI_Datatype) -> Result<String> {
    let mut text = [0u8; ffi::MPI_MAX_OBJECT_NAME as usize];
    let mut len = 0;
    // SAFETY: a valid type, and as much room as the standard asks for.
    let code = unsafe { ffi::MPI_Type_get_name(datatype, text.as_mut_ptr().cast::<c_char>(), &raw mut len) };
    check(&"MPI_Type_get_name", code)?;
    let len = usize::try_from(len).unwrap_or(0).min(text.len());
    Ok(String::from_utf8_lossy(&text[..len]).into_owned())
}
