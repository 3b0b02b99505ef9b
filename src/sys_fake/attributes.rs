//! Attributes of derived types.

use super::abi::*;
use super::process::{enter, in_callback};
use std::collections::BTreeMap;
use std::os::raw::{c_int, c_void};
use std::ptr;

/// The keys of types, and what stands under them.
pub(super) struct Attributes {
    last_key: c_int,
    keys: BTreeMap<c_int, MPI_Type_delete_attr_function>,
    /// By type and key: the exposed address, and the function that frees what is there.
    values: BTreeMap<(usize, c_int), (usize, MPI_Type_delete_attr_function)>,
}

/// A value that left its type, to be freed by the user's function.
pub(super) struct Removed(MPI_Datatype, c_int, usize, MPI_Type_delete_attr_function);

impl Attributes {
    pub(super) const fn new() -> Self {
        Attributes { last_key: 0, keys: BTreeMap::new(), values: BTreeMap::new() }
    }

    fn remove(&mut self, datatype: MPI_Datatype, key: c_int) -> Option<Removed> {
        let (value, delete) = self.values.remove(&(datatype.addr(), key))?;
        Some(Removed(datatype, key, value, delete))
    }

    /// All that a type has, which is freed.
    pub(super) fn remove_all(&mut self, datatype: MPI_Datatype) -> Vec<Removed> {
        let keys: Vec<c_int> =
            self.values.keys().filter(|(of, _)| *of == datatype.addr()).map(|&(_, key)| key).collect();
        keys.into_iter().filter_map(|key| self.remove(datatype, key)).collect()
    }
}

impl Removed {
    /// The process must not be locked.
    pub(super) fn delete(self) {
        let Removed(datatype, key, value, delete) = self;
        let delete = delete.expect("fake MPI: a key without a function to delete");
        // SAFETY: what was set under a key that was made with this function.
        let deleted =
            || unsafe { delete(datatype, key, ptr::with_exposed_provenance_mut(value), ptr::null_mut()) };
        in_callback(|| assert_eq!(deleted(), MPI_SUCCESS));
    }
}

pub unsafe extern "C" fn MPI_Type_create_keyval(
    _copy: MPI_Type_copy_attr_function,
    delete: MPI_Type_delete_attr_function,
    key: *mut c_int,
    _extra: *mut c_void,
) -> c_int {
    let attributes = &mut enter("MPI_Type_create_keyval").attributes;
    attributes.last_key += 1;
    attributes.keys.insert(attributes.last_key, delete);
    // SAFETY: an out-argument.
    unsafe { key.write(attributes.last_key) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Type_set_attr(datatype: MPI_Datatype, key: c_int, value: *mut c_void) -> c_int {
    let mut process = enter("MPI_Type_set_attr");
    assert!(process.types.contains_key(&datatype.addr()), "fake MPI: not a derived datatype");
    let delete = process.attributes.keys[&key];
    let old = process.attributes.remove(datatype, key);
    process.attributes.values.insert((datatype.addr(), key), (value.expose_provenance(), delete));
    drop(process);
    old.into_iter().for_each(Removed::delete);
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Type_get_attr(
    datatype: MPI_Datatype,
    key: c_int,
    value: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    let process = enter("MPI_Type_get_attr");
    assert!(process.attributes.keys.contains_key(&key), "fake MPI: not an attribute key");
    let found = process.attributes.values.get(&(datatype.addr(), key));
    if let Some(&(address, _)) = found {
        // SAFETY: the address of a pointer, to be written.
        unsafe { value.cast::<*mut c_void>().write(ptr::with_exposed_provenance_mut(address)) };
    }
    // SAFETY: an out-argument.
    unsafe { flag.write(found.is_some().into()) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Type_delete_attr(datatype: MPI_Datatype, key: c_int) -> c_int {
    let removed = enter("MPI_Type_delete_attr").attributes.remove(datatype, key);
    removed.expect("fake MPI: no such attribute").delete();
    MPI_SUCCESS
}
