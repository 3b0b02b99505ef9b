//! Attributes of types: what a program hangs onto MPI's type of a layout, to find it where it has the layout alone.
//!
//! Standard: MPI 4.1, sections 7.7.1 "Functionality" and 7.7.4 "Datatypes".
//!
//! # Why this is sound
//!
//! A key is MPI's number, and the type `V` of its values. What is hung on under it is the address of a `V` on the heap, made
//! here; nobody else has the number, which is never freed, so that no library can give it to another key while a value stands
//! under it. The value is freed by MPI's deletion callback alone, once. Since a `V` is `Copy`, none of the user's code runs there, and what
//! is asked for is copied, so that nothing refers to it.
#![allow(unsafe_code)]

use super::{Datatype, Layout, RawDatatype};
use crate::environment::hold;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Datatype, check};
use std::fmt;
use std::marker::PhantomData;
use std::os::raw::{c_int, c_void};
use std::ptr;

const GET: Call = &"MPI_Type_get_attr";

/// Under which values of type `V` are hung onto layouts.
///
/// Whoever has the key can read, replace and delete what stands under it. It stays on its thread, as layouts do. When it is
/// dropped, values that stand under it stay until their layouts go, out of reach; MPI keeps its number, so make few keys.
///
/// ```no_run
/// use mpi::datatype::{Key, Layout};
/// # let world = mpi::init()?;
/// let unit = Key::<&'static str>::new()?;
/// let column = Layout::<f64>::element().vector(3, 1, 4)?;
/// column.set_attr(&unit, "kelvin")?;
/// assert_eq!(column.get_attr(&unit)?, Some("kelvin"));
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Type_create_keyval")]
pub struct Key<V> {
    raw: c_int,
    /// A key of one type of values is none of another.
    values: PhantomData<fn(V) -> V>,
    /// MPI's numbers are used on the thread that made them.
    _thread: PhantomData<*const ()>,
}

impl<V: Copy + 'static> Key<V> {
    /// A key that no other is equal to.
    ///
    /// `MPI_Type_create_keyval` (MPI 4.1 §7.7.4). Values are not copied to duplicates of the type.
    ///
    /// # Errors
    /// MPI does not run, or may not be called on this thread; or what MPI reports.
    pub fn new() -> Result<Self> {
        const CALL: Call = &"MPI_Type_create_keyval";
        let _mpi = hold(CALL)?;
        let mut raw = 0;
        let copy = ffi::MPI_TYPE_NULL_COPY_FN;
        // SAFETY: functions of the right types that live for ever; the out-argument is ours; MPI is live.
        let code =
            unsafe { ffi::MPI_Type_create_keyval(copy, Some(delete::<V>), &raw mut raw, ptr::null_mut()) };
        check(CALL, code)?;
        Ok(Key { raw, values: PhantomData, _thread: PhantomData })
    }
}

impl<V> fmt::Debug for Key<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("values", &std::any::type_name::<V>()).finish_non_exhaustive()
    }
}

/// MPI has no more use for a value.
unsafe extern "C" fn delete<V: Copy>(_: MPI_Datatype, _: c_int, value: *mut c_void, _: *mut c_void) -> c_int {
    // SAFETY: the address that `set_attr` gave for a key of `V`, which MPI gives back once.
    drop(unsafe { Box::from_raw(value.cast::<V>()) });
    ffi::MPI_SUCCESS
}

impl<T: Datatype> Layout<T> {
    /// Hangs a value onto MPI's type of the layout, in place of what stands under the key. Clones of the layout have it as
    /// well, [duplicates](Layout::dup) have not.
    ///
    /// `MPI_Type_set_attr` (MPI 4.1 §7.7.4).
    ///
    /// # Errors
    /// The layout needs no type of its own, since its elements follow one another; MPI does not run, or may not be called on
    /// this thread; or what MPI reports.
    #[doc(alias = "MPI_Type_set_attr")]
    pub fn set_attr<V: Copy + 'static>(&self, key: &Key<V>, value: V) -> Result<()> {
        const CALL: Call = &"MPI_Type_set_attr";
        let _mpi = hold(CALL)?;
        let Some(RawDatatype(datatype)) = self.own_type()? else {
            return Err(Error::length(CALL, Argument::NoOwnType, self.len(), 0));
        };
        let value = Box::into_raw(Box::new(value));
        // If that fails the value is leaked: who knows what MPI has kept.
        // SAFETY: a type of this layout's own and a key of `V`; the value is MPI's from here on.
        check(CALL, unsafe { ffi::MPI_Type_set_attr(datatype, key.raw, value.cast()) })
    }

    /// What stands under the key.
    ///
    /// `MPI_Type_get_attr` (MPI 4.1 §7.7.4).
    ///
    /// # Errors
    /// MPI does not run, or may not be called on this thread; or what MPI reports.
    #[doc(alias = "MPI_Type_get_attr")]
    pub fn get_attr<V: Copy + 'static>(&self, key: &Key<V>) -> Result<Option<V>> {
        let _mpi = hold(GET)?;
        let Some(RawDatatype(datatype)) = self.own_type()? else { return Ok(None) };
        let (mut value, mut is_there) = (ptr::null_mut::<V>(), 0);
        // SAFETY: a type of this layout's own and a key; the out-arguments are ours, the first a pointer to a pointer.
        let code =
            unsafe { ffi::MPI_Type_get_attr(datatype, key.raw, (&raw mut value).cast(), &raw mut is_there) };
        check(GET, code)?;
        // SAFETY: what stands under a key of `V` is a `V`, which is freed when it is replaced or deleted: not meanwhile.
        Ok((is_there != 0).then(|| unsafe { value.read() }))
    }

    /// Takes away what stands under the key; whether there was something.
    ///
    /// `MPI_Type_delete_attr` (MPI 4.1 §7.7.4).
    ///
    /// # Errors
    /// MPI does not run, or may not be called on this thread; or what MPI reports.
    #[doc(alias = "MPI_Type_delete_attr")]
    pub fn delete_attr<V: Copy + 'static>(&self, key: &Key<V>) -> Result<bool> {
        const CALL: Call = &"MPI_Type_delete_attr";
        let _mpi = hold(CALL)?;
        let (Some(RawDatatype(datatype)), Some(_)) = (self.own_type()?, self.get_attr(key)?) else {
            return Ok(false); // deleting what is not there is an error with some libraries
        };
        // SAFETY: a type of this layout's own, which has the attribute.
        check(CALL, unsafe { ffi::MPI_Type_delete_attr(datatype, key.raw) }).map(|()| true)
    }
}
