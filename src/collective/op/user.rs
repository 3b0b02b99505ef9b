//! Operations made of functions and closures of the user (MPI 4.1 §6.9.5).
//!
//! # Why this is sound
//!
//! 1. The closure is `Send`, `Sync` and `'static`: it may be called on any thread, as MPICH's progress thread does
//!    (`reduction-thread` in `docs/faults.md`), and refers to nothing that ends. Handles of this crate are neither, so it
//!    captures none.
//! 2. Elements are copied out and in unaligned, and every bit pattern is a value ([`AnyBits`]).
//! 3. It does not unwind into C, and while it runs MPI is closed to it ([`Callback`]).
//! 4. The function that MPI calls, and what it refers to, live until the operation is freed; and that lives as long as the
//!    [`UserOp`], and as what is in flight with it ([`Operation::kept`]).
#![allow(unsafe_code)]

use super::own::{CREATE, Function, create, each, free};
use super::{Operation, RawOp, sealed};
use crate::datatype::AnyBits;
use crate::environment::{Callback, Instance, hold, live, report};
use crate::error::Result;
use crate::ffi::{self, MPI_Datatype, MPI_Op};
use crate::request::Kept;
use std::any::Any;
use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::os::raw::{c_int, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::ptr::NonNull;
use std::rc::Rc;

/// An operation made of a function or closure by [`from_fn`]. Reductions take it as a reference.
#[doc(alias = "MPI_Op")]
pub struct UserOp<T> {
    shared: Rc<Shared>,
    _on: PhantomData<fn(T, T) -> T>,
}

/// What reductions in flight keep.
struct Shared {
    /// MPI's operation, made when it is used first. Freed before the function.
    made: OnceCell<Made>,
    code: Rc<Code>,
    commutes: bool,
}

/// What MPI calls.
struct Code {
    function: Function,
    /// The closure, and what else the function needs. Never used again, but dropped.
    _owned: Box<dyn Any>,
}

struct Made {
    op: MPI_Op,
    /// Dropped after the operation has been freed.
    _live: Instance,
}

impl Drop for Made {
    fn drop(&mut self) {
        if live(&"MPI_Op_free").is_ok() {
            free(self.op);
        }
    }
}

/// Makes an operation of a function or closure, `f(a, b)`, where `a` comes from the lower ranks.
///
/// `MPI_Op_create` (MPI 4.1 §6.9.5), at its first use. `f` must be associative. MPI keeps the order of ranks unless the
/// operation is said to be [`commutative`](UserOp::commutative). It is called once for each pair of elements, maybe on a
/// thread of MPI's own, and cannot call MPI: what needs MPI is an `Err` in it. If it panics the job ends.
///
/// A function that captures nothing costs no more than C's. A closure that captures something, or a function pointer, needs
/// the feature `libffi` of this crate, which makes machine code for each; so does C's way, a global variable.
///
/// ```no_run
/// use mpi::op::from_fn;
/// # let world = mpi::init()?;
/// // The composition of maps x -> m x + c: associative, not commutative.
/// let then = from_fn(|[m, c]: [f64; 2], [n, d]| [m * n, n * c + d]);
/// let maps = [[0.5, 1.0], [2.0, world.rank() as f64]];
/// let composed = world.allreduce(&maps, &then)?; // [[f64; 2]; 2]
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Op_create")]
pub fn from_fn<T, F>(f: F) -> UserOp<T>
where
    T: AnyBits,
    F: Fn(T, T) -> T + Send + Sync + 'static,
{
    let code = Rc::new(code(f));
    let shared = Shared { made: OnceCell::new(), code, commutes: false };
    UserOp { shared: Rc::new(shared), _on: PhantomData }
}

impl<T> UserOp<T> {
    /// The same, of which MPI may change the order: `f(a, b)` and `f(b, a)` are equal.
    pub fn commutative(self) -> Self {
        let code = self.shared.code.clone();
        let shared = Shared { made: OnceCell::new(), code, commutes: true };
        UserOp { shared: Rc::new(shared), _on: PhantomData }
    }
}

impl Shared {
    #[cold]
    fn make(&self) -> Result<MPI_Op> {
        let live = hold(CREATE)?;
        let op = create(self.code.function, self.commutes)?;
        let made = self.made.get_or_init(|| Made { op, _live: live });
        Ok(made.op)
    }
}

impl<T> sealed::Sealed for &UserOp<T> {}
impl<T: AnyBits> Operation<T> for &UserOp<T> {
    const WHOLE: bool = true;
    #[inline]
    fn raw(self) -> Result<RawOp> {
        match self.shared.made.get() {
            Some(made) => Ok(RawOp(made.op)),
            None => self.shared.make().map(RawOp),
        }
    }
    #[inline]
    fn kept(self) -> Kept {
        Some(self.shared.clone())
    }
}

impl<T> fmt::Debug for UserOp<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserOp").field("commutative", &self.shared.commutes).finish_non_exhaustive()
    }
}

/// Calls the closure for each pair of elements. It ends the job if the closure panics.
///
/// # Safety
/// As [`each`].
unsafe fn call<T: AnyBits>(f: &impl Fn(T, T) -> T, from: *mut c_void, into: *mut c_void, len: *mut c_int) {
    let _closed = Callback::begin();
    let combine = AssertUnwindSafe(|| {
        // SAFETY: this function's contract.
        unsafe { each(from, into, len, f) }
    });
    if let Err(payload) = panic::catch_unwind(combine) {
        mem::forget(payload); // dropping it could panic
        report("the function of a reduction panicked: ending the job"); // what it said is printed already
        ffi::abort(101);
    }
}

/// The function for a closure that captures nothing: any value of its type is the closure.
///
/// # Safety
/// As [`each`], and a value of `F`, which has size zero, exists.
unsafe extern "C" fn plain<T: AnyBits, F: Fn(T, T) -> T>(
    from: *mut c_void,
    into: *mut c_void,
    len: *mut c_int,
    _: *mut MPI_Datatype,
) {
    // SAFETY: a reference to a value of size zero needs no more than alignment, and that the value exists, by this
    // function's contract.
    let f = unsafe { NonNull::<F>::dangling().as_ref() };
    // SAFETY: this function's contract.
    unsafe { call(f, from, into, len) };
}

fn code<T, F>(f: F) -> Code
where
    T: AnyBits,
    F: Fn(T, T) -> T + 'static,
{
    if size_of::<F>() == 0 {
        return Code { function: plain::<T, F>, _owned: Box::new(f) };
    }
    capturing::<T, F>(f)
}

#[cfg(not(all(feature = "libffi", not(miri))))]
#[expect(clippy::extra_unused_type_parameters, reason = "called as the other is")]
fn capturing<T, F>(_: F) -> Code {
    const {
        assert!(
            size_of::<F>() == 0,
            "a reduction's closure that captures something, or a function pointer, needs the feature `libffi` of the crate `mpi`"
        );
    }
    unreachable!("of size zero")
}

#[cfg(all(feature = "libffi", not(miri)))]
use capture::capturing;

#[cfg(all(feature = "libffi", not(miri)))]
mod capture {
    use super::{AnyBits, Code, Function, call};
    use libffi::low::ffi_cif;
    use libffi::middle::{Cif, Closure, Type};
    use std::os::raw::{c_int, c_void};
    use std::ptr;

    /// Machine code made for one closure, and the closure it refers to.
    struct Capture<F> {
        /// Dropped first.
        _code: Closure<'static>,
        _closure: Owner<F>,
    }

    /// Frees a value that was made by `Box::into_raw`, which a `Box` cannot be: moving it would claim that nobody else
    /// refers to the value.
    struct Owner<F>(*mut F);
    impl<F> Drop for Owner<F> {
        fn drop(&mut self) {
            // SAFETY: from `Box::into_raw`, freed once; the code that refers to it is gone.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }

    /// The function for a closure that captures something: machine code of its own, that passes it to [`captured`].
    pub(super) fn capturing<T, F>(f: F) -> Code
    where
        T: AnyBits,
        F: Fn(T, T) -> T + 'static,
    {
        let closure = Owner(Box::into_raw(Box::new(f)));
        // SAFETY: made a line above, and freed after the code that refers to it.
        let f: &'static F = unsafe { &*closure.0 };
        let cif =
            Cif::new([Type::pointer(), Type::pointer(), Type::pointer(), Type::pointer()], Type::void());
        let code = Closure::new(cif, captured::<T, F>, f);
        // SAFETY: the code takes four pointers and returns nothing, as a `Function`.
        let function = unsafe { *code.instantiate_code_ptr::<Function>() };
        Code { function, _owned: Box::new(Capture { _code: code, _closure: closure }) }
    }

    /// # Safety
    /// The arguments are those of a [`Function`] that MPI has called.
    unsafe extern "C" fn captured<T: AnyBits, F: Fn(T, T) -> T>(
        _: &ffi_cif,
        _: &mut (),
        arguments: *const *const c_void,
        f: &F,
    ) {
        let argument = |i: usize| {
            // SAFETY: an array of the addresses of four arguments.
            let place = unsafe { *arguments.wrapping_add(i) };
            // SAFETY: where a pointer is.
            unsafe { ptr::read(place.cast::<*mut c_void>()) }
        };
        // SAFETY: this function's contract.
        unsafe { call::<T>(f, argument(0), argument(1), argument(2).cast::<c_int>()) };
    }
}
