//! Operations of reductions. One rank has nothing to combine; the user's functions are called all the same.

use super::abi::*;
use super::process::{Process, enter, fresh_name, in_callback};
use std::os::raw::{c_int, c_void};

/// The function of an operation made by the user.
pub type UserFunction = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype);

/// A user's function, and what it is to be called with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combining {
    function: UserFunction,
    count: usize,
    datatype: MPI_Datatype,
}

impl Combining {
    /// Calls the function on two copies of some elements, at odd addresses, and throws the result away.
    pub(super) fn apply(&self, bytes: Vec<u8>) {
        let copy = || [&[0], &bytes[..]].concat();
        let (mut from, mut into) = (copy(), copy());
        // SAFETY: `count` elements in each array, as the datatype says.
        unsafe { self.call(from[1..].as_mut_ptr().cast(), into[1..].as_mut_ptr().cast()) };
    }

    /// # Safety
    /// Two arrays of so many elements.
    unsafe fn call(&self, from: *mut c_void, into: *mut c_void) {
        let mut len = c_int::try_from(self.count).expect("fake MPI: more elements than an int counts");
        let mut datatype = self.datatype;
        // SAFETY: the function was given to `MPI_Op_create` to be called so.
        in_callback(|| unsafe { (self.function)(from, into, &raw mut len, &raw mut datatype) });
    }
}

impl Process {
    /// What to call for an operation; nothing for those that MPI brings.
    #[track_caller]
    pub(super) fn combining(&self, op: MPI_Op, count: usize, datatype: MPI_Datatype) -> Option<Combining> {
        if is_predefined(op) {
            return None;
        }
        let function = *self.ops.get(&op.addr()).expect("fake MPI: not an operation, or one that was freed");
        Some(Combining { function, count, datatype })
    }
}

fn is_predefined(op: MPI_Op) -> bool {
    (MPI_SUM.addr()..=MPI_LXOR.addr()).contains(&op.addr())
}

pub unsafe extern "C" fn MPI_Op_create(
    function: Option<UserFunction>,
    _commutes: c_int,
    op: *mut MPI_Op,
) -> c_int {
    let name = fresh_name();
    enter("MPI_Op_create").ops.insert(name, function.expect("fake MPI: no function"));
    // SAFETY: an out-argument.
    unsafe { op.write(handle(name)) };
    MPI_SUCCESS
}

/// Reductions in flight go on with it, as the standard says.
pub unsafe extern "C" fn MPI_Op_free(op: *mut MPI_Op) -> c_int {
    // SAFETY: an in-out-argument.
    let name = unsafe { op.read() }.addr();
    enter("MPI_Op_free").ops.remove(&name).expect("fake MPI: an operation freed twice");
    // SAFETY: an in-out-argument.
    unsafe { op.write(MPI_OP_NULL) };
    MPI_SUCCESS
}
