//! The committed struct types of derived types: each is made once, at first use, and kept until MPI ends.
//!
//! A type without parameters has a `static` [`Slot`]: where it is used, one load and one comparison find its MPI type.
//! Of a generic type all instances share what is static, so their slots are found by [`TypeId`]: a table of the thread,
//! and once for each thread and type a list behind a lock.
#![allow(unsafe_code)]

use super::parts::{Field, Path};
use super::repeat::free;
use super::{Datatype, RawDatatype};
use crate::buffer::{Fitted, INT_MAX};
use crate::environment::{enter, report};
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Aint, MPI_Datatype, check};
use crate::quirks;
use std::any::TypeId;
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// Where the MPI type of one Rust type is kept.
#[doc(hidden)]
#[derive(Debug)]
pub struct Slot(AtomicPtr<c_void>);

/// Nothing but a [`Slot`]. Nobody else can name it.
pub trait IsSlot {
    #[doc(hidden)]
    fn as_slot(&'static self) -> &'static Slot;
}
impl IsSlot for Slot {
    #[inline(always)]
    fn as_slot(&'static self) -> &'static Slot {
        self
    }
}

/// A handle, whether the library's are pointers or integers. Neither is 0 for a type that was made.
trait Handle {
    fn to_ptr(self) -> *mut c_void;
    fn from_ptr(ptr: *mut c_void) -> Self;
}
impl<T> Handle for *mut T {
    #[inline(always)]
    fn to_ptr(self) -> *mut c_void {
        self.cast()
    }
    #[inline(always)]
    fn from_ptr(ptr: *mut c_void) -> Self {
        ptr.cast()
    }
}
impl Handle for c_int {
    #[inline(always)]
    fn to_ptr(self) -> *mut c_void {
        ptr::without_provenance_mut(self as u32 as usize)
    }
    #[inline(always)]
    fn from_ptr(ptr: *mut c_void) -> Self {
        ptr.addr() as u32 as c_int
    }
}

/// Those that are full.
static FULL: Mutex<Vec<&'static Slot>> = Mutex::new(Vec::new());

const CALL: Call = &"MPI_Type_create_struct";

impl Slot {
    /// An empty one.
    #[expect(clippy::new_without_default, reason = "made in statics alone")]
    pub const fn new() -> Self {
        Slot(AtomicPtr::new(ptr::null_mut()))
    }

    /// The MPI type of `T`, whose slot this is: `MPI_DATATYPE_NULL` where MPI may not be called, which every call finds out
    /// before it enters MPI.
    #[inline(always)]
    pub(super) fn unit<T: Datatype>(&'static self) -> RawDatatype {
        match T::PARTS.path {
            Path::Primitive(primitive) => primitive.raw(),
            Path::Struct(fields) => self.of_struct(fields, T::PARTS.size),
        }
    }

    #[inline(always)]
    fn of_struct(&'static self, fields: &'static [Field], size: usize) -> RawDatatype {
        match self.get() {
            Some(datatype) => RawDatatype(datatype),
            None => RawDatatype(self.make(fields, size)),
        }
    }

    #[inline(always)]
    fn get(&self) -> Option<MPI_Datatype> {
        let ptr = self.0.load(Ordering::Acquire);
        (!ptr.is_null()).then(|| MPI_Datatype::from_ptr(ptr))
    }

    #[cold]
    #[inline(never)]
    fn make(&'static self, fields: &'static [Field], size: usize) -> MPI_Datatype {
        // Before MPI is entered: a field may have to be made as well.
        let units: Vec<MPI_Datatype> = fields.iter().map(|field| (field.unit)().0).collect();
        let Ok(_entered) = enter(CALL) else { return ffi::MPI_DATATYPE_NULL };
        if units.contains(&ffi::MPI_DATATYPE_NULL) {
            return ffi::MPI_DATATYPE_NULL; // MPI was started since, by another thread: whoever asked had no handle
        }
        match commit(fields, &units, size, as_bytes(fields)) {
            Ok(datatype) => self.publish(datatype),
            Err(error) => {
                report(format_args!("the MPI type of a struct could not be made: {error}"));
                ffi::abort(1)
            }
        }
    }

    /// Keeps the type, unless another thread was first.
    fn publish(&'static self, datatype: MPI_Datatype) -> MPI_Datatype {
        let mut full = FULL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = self.get() {
            free(datatype);
            return first;
        }
        self.0.store(datatype.to_ptr(), Ordering::Release);
        full.push(self);
        datatype
    }
}

/// Elements of one type that follow one another.
struct Run {
    offset: usize,
    count: usize,
    unit: MPI_Datatype,
}

/// The fields in their order, joined where one goes on with the type of the one before: libraries take longer for a type of
/// more blocks.
fn runs(fields: &[Field], units: &[MPI_Datatype], as_bytes: bool) -> Vec<Run> {
    let (mut runs, mut end): (Vec<Run>, usize) = (Vec::new(), 0);
    let travel = fields.iter().zip(units).filter(|(field, _)| field.parts.units > 0);
    for (&Field { offset, parts, .. }, &unit) in travel {
        let (unit, count) = match parts.path {
            Path::Primitive(_) if as_bytes => (ffi::MPI_BYTE, parts.bytes),
            _ => (unit, parts.units),
        };
        match runs.last_mut() {
            Some(last) if last.unit == unit && end == offset => last.count += count,
            _ => runs.push(Run { offset, count, unit }),
        }
        end = offset + parts.size;
    }
    runs
}

/// Whether MPI is told which bytes of a struct travel, and not what they are: what is made of bytes can be cut anywhere.
fn as_bytes(fields: &[Field]) -> bool {
    quirks::tears_structs() && fields.iter().all(|field| field.parts.is_of_primitives())
}

/// A struct type of `size` bytes.
fn commit(fields: &[Field], units: &[MPI_Datatype], size: usize, as_bytes: bool) -> Result<MPI_Datatype> {
    let runs = runs(fields, units, as_bytes);
    let fit = |run: &Run| Fitted::new(CALL, run.count, run.unit, INT_MAX);
    let fitted = runs.iter().map(fit).collect::<Result<Vec<Fitted>>>()?;
    let lengths: Vec<c_int> = fitted.iter().map(|run| run.count).collect();
    let units: Vec<MPI_Datatype> = fitted.iter().map(|run| run.datatype).collect();
    let places: Vec<MPI_Aint> = runs.iter().map(|run| run.offset as MPI_Aint).collect();
    let mut all = ffi::MPI_DATATYPE_NULL;
    // SAFETY: three arrays with an entry for each run; valid committed types; nothing is accessed.
    let code = unsafe {
        ffi::MPI_Type_create_struct(
            runs.len() as c_int,
            lengths.as_ptr(),
            places.as_ptr(),
            units.as_ptr(),
            &raw mut all,
        )
    };
    check(CALL, code)?;
    let mut datatype = ffi::MPI_DATATYPE_NULL;
    // SAFETY: a type we have just made.
    let code = unsafe { ffi::MPI_Type_create_resized(all, 0, size as MPI_Aint, &raw mut datatype) };
    free(all); // what was made of it lives on (MPI 4.1 §5.1.9)
    check(&"MPI_Type_create_resized", code)?;
    // SAFETY: a type we have just made.
    check(&"MPI_Type_commit", unsafe { ffi::MPI_Type_commit(&raw mut datatype) })?;
    Ok(datatype)
}

/// Frees all of them. MPI is live, and ends for us.
pub(crate) fn clear() {
    for slot in FULL.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        free(MPI_Datatype::from_ptr(slot.0.swap(ptr::null_mut(), Ordering::AcqRel)));
    }
}

// ---- generic types ----

const NEAR: usize = 32;

thread_local! {
    /// What this thread has looked up, by a few bits of the `TypeId`.
    static FOUND: [Cell<Option<(TypeId, &'static Slot)>>; NEAR] = const { [const { Cell::new(None) }; NEAR] };
}

/// One for each instance of a generic type that is used, for ever: as many as the program has types.
static GENERIC: Mutex<Vec<(TypeId, &'static Slot)>> = Mutex::new(Vec::new());

/// The MPI type of an instance of a generic type. About 15 instructions more than [`Slot::unit`] if it is a struct type.
#[inline]
pub(super) fn generic_unit<T: Datatype>() -> RawDatatype {
    match T::PARTS.path {
        Path::Primitive(primitive) => primitive.raw(),
        Path::Struct(fields) => slot_of(TypeId::of::<T>()).of_struct(fields, T::PARTS.size),
    }
}

#[inline]
fn slot_of(id: TypeId) -> &'static Slot {
    FOUND.with(|found| {
        let near = &found[FewBits::of(id)];
        match near.get() {
            Some((known, slot)) if known == id => slot,
            _ => look_up(id, near),
        }
    })
}

#[cold]
fn look_up(id: TypeId, near: &Cell<Option<(TypeId, &'static Slot)>>) -> &'static Slot {
    let mut all = GENERIC.lock().unwrap_or_else(PoisonError::into_inner);
    let slot = match all.iter().find(|(known, _)| *known == id) {
        Some((_, slot)) => slot,
        None => {
            let slot: &'static Slot = Box::leak(Box::new(Slot::new()));
            all.push((id, slot));
            slot
        }
    };
    near.set(Some((id, slot)));
    slot
}

/// A `TypeId` is a hash already.
struct FewBits(u64);

impl FewBits {
    #[inline(always)]
    fn of(id: TypeId) -> usize {
        let mut bits = FewBits(0);
        id.hash(&mut bits);
        bits.0 as usize % NEAR
    }
}

impl Hasher for FewBits {
    #[inline(always)]
    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }
    fn finish(&self) -> u64 {
        self.0
    }
}
