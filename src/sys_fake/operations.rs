//! Operations made of functions, and what is done with operations without communicating.
//!
//! A function finds its elements at odd addresses, and is called on another thread each second time, as a library with
//! a thread of its own may do.

use super::abi::*;
use super::process::{enter, fresh_name};
use std::collections::BTreeMap;
use std::os::raw::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The function of an operation made by the user.
pub type UserFunction = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype);

#[derive(Clone, Copy)]
struct Made {
    function: UserFunction,
    commutes: bool,
}

static MADE: Mutex<BTreeMap<usize, Made>> = Mutex::new(BTreeMap::new());

fn made() -> MutexGuard<'static, BTreeMap<usize, Made>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process if it is no operation, or one that was freed.
#[track_caller]
pub(super) fn known(op: MPI_Op) {
    let is_predefined = (MPI_SUM.addr()..=MPI_LXOR.addr()).contains(&op.addr());
    assert!(
        is_predefined || made().contains_key(&op.addr()),
        "fake MPI: not an operation, or one that was freed"
    );
}

pub unsafe extern "C" fn MPI_Op_create(
    function: Option<UserFunction>,
    commutes: c_int,
    op: *mut MPI_Op,
) -> c_int {
    drop(enter("MPI_Op_create"));
    let function = function.expect("fake MPI: no function");
    let name = fresh_name();
    made().insert(name, Made { function, commutes: commutes != 0 });
    // SAFETY: an out-argument.
    unsafe { op.write(handle(name)) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Op_free(op: *mut MPI_Op) -> c_int {
    drop(enter("MPI_Op_free"));
    // SAFETY: an in-out argument.
    let name = unsafe { op.read() }.addr();
    made().remove(&name).expect("fake MPI: not an operation that was made, or freed twice");
    // SAFETY: as above.
    unsafe { op.write(MPI_OP_NULL) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Op_commutative(op: MPI_Op, commutes: *mut c_int) -> c_int {
    drop(enter("MPI_Op_commutative"));
    known(op);
    let is_commutative = made().get(&op.addr()).is_none_or(|made| made.commutes);
    // SAFETY: an out-argument.
    unsafe { commutes.write(is_commutative.into()) };
    MPI_SUCCESS
}

/// Predefined operations copy, as in collectives of one rank.
pub unsafe extern "C" fn MPI_Reduce_local(
    from: *const c_void,
    into: *mut c_void,
    count: c_int,
    datatype: MPI_Datatype,
    op: MPI_Op,
) -> c_int {
    let process = enter("MPI_Reduce_local");
    let len = process.layout(datatype).extent() as usize * count as usize;
    drop(process);
    known(op);
    let function = made().get(&op.addr()).map(|made| made.function);
    let (mut given, mut result) = (Odd::new(from, len), Odd::new(into, len));
    match function {
        Some(function) => {
            // SAFETY: copies of `count` elements of the datatype.
            unsafe { called(function, &mut given, &mut result, count, datatype) };
        }
        None => result.0.copy_from_slice(&given.0),
    }
    // SAFETY: `len` bytes that the caller gives for writing.
    unsafe { result.0.as_ptr().add(1).copy_to(into.cast(), len) };
    MPI_SUCCESS
}

/// A copy that starts at an odd address.
struct Odd(Vec<u8>);

impl Odd {
    fn new(bytes: *const c_void, len: usize) -> Self {
        // One more than the allocator aligned, whatever it aligned to: the allocation is of bytes, and even in practice.
        let mut copy = vec![0xA5; len + 1];
        for (i, place) in copy[1..].iter_mut().enumerate() {
            // SAFETY: `len` bytes that the caller gives for reading.
            *place = unsafe { bytes.cast::<u8>().wrapping_add(i).read() };
        }
        Odd(copy)
    }

    fn start(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().wrapping_add(1).cast()
    }
}

/// What a call of the user's function takes to another thread.
struct Call(UserFunction, *mut c_void, *mut c_void, c_int, MPI_Datatype);
// SAFETY: who makes it waits for the thread.
unsafe impl Send for Call {}

impl Call {
    unsafe fn make(mut self) {
        // SAFETY: the caller's contract: the memory is that of the operation's elements.
        unsafe { (self.0)(self.1, self.2, &raw mut self.3, &raw mut self.4) };
    }
}

/// # Safety
/// `count` elements of the datatype in each copy, for which the function was made.
unsafe fn called(
    function: UserFunction,
    from: &mut Odd,
    into: &mut Odd,
    count: c_int,
    datatype: MPI_Datatype,
) {
    static ELSEWHERE: AtomicBool = AtomicBool::new(false);
    let call = Call(function, from.start(), into.start(), count, datatype);
    if !ELSEWHERE.fetch_xor(true, Ordering::Relaxed) {
        // SAFETY: this function's contract.
        return unsafe { call.make() };
    }
    thread::scope(|threads| {
        // SAFETY: this function's contract.
        threads.spawn(move || unsafe { { call }.make() });
    });
}
