//! Operations of reductions. One rank has nothing to combine; the user's functions are called all the same.

use super::abi::*;
use super::layout::Memory;
use super::process::{Process, enter, fresh_name, in_callback};
use std::os::raw::{c_int, c_void};

/// The function of an operation made by the user.
pub type UserFunction = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype);

/// An operation made by the user.
pub(super) struct UserOp {
    function: UserFunction,
    commutes: bool,
}

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
        let op = self.ops.get(&op.addr()).expect("fake MPI: not an operation, or one that was freed");
        Some(Combining { function: op.function, count, datatype })
    }
}

fn is_predefined(op: MPI_Op) -> bool {
    (MPI_SUM.addr()..=MPI_LXOR.addr()).contains(&op.addr())
}

pub unsafe extern "C" fn MPI_Op_create(
    function: Option<UserFunction>,
    commutes: c_int,
    op: *mut MPI_Op,
) -> c_int {
    let name = fresh_name();
    let made = UserOp { function: function.expect("fake MPI: no function"), commutes: commutes != 0 };
    enter("MPI_Op_create").ops.insert(name, made);
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

pub unsafe extern "C" fn MPI_Op_commutative(op: MPI_Op, commutes: *mut c_int) -> c_int {
    let process = enter("MPI_Op_commutative");
    let known = process.ops.get(&op.addr()).map_or(is_predefined(op), |op| op.commutes);
    // SAFETY: an out-argument.
    unsafe { commutes.write(known.into()) };
    MPI_SUCCESS
}

/// What MPI brings takes the first for the result, as reductions of one rank do.
pub unsafe extern "C" fn MPI_Reduce_local(
    from: *const c_void,
    into: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    op: MPI_Op,
) -> c_int {
    let process = enter("MPI_Reduce_local");
    let count = usize::try_from(count).expect("fake MPI: a negative count");
    let layout = process.layout(datatype);
    match process.combining(op, count, datatype) {
        // SAFETY: two arrays of so many elements.
        Some(combining) => unsafe { combining.call(from.cast_mut(), into) },
        None => {
            // SAFETY: readable during the call.
            let from = unsafe { Memory::new(from, count as c_int, &layout) };
            // SAFETY: writable during the call.
            let into = unsafe { Memory::new(into, count as c_int, &layout) };
            (0..from.len()).for_each(|byte| into.write(byte, from.read(byte)));
        }
    }
    MPI_SUCCESS
}
