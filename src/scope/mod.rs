//! The scope: a stack frame that cannot be left while MPI owns borrowed memory.
//!
//! # Why this is sound
//!
//! 1. A loan for `'s` borrows its buffer for `'s`, and `'s` outlives the body of [`Communicator::scope`]: the body
//!    is called for *every* `'s`, so it cannot lend what it owns itself, and nothing with `'s` in it can leave.
//! 2. `scope` returns, or unwinds, only when MPI owns none of the handles in the [`Arena`]: or the job ends.
//!    The arena is on the stack of `scope`, where safe code can neither forget nor leak it.
//! 3. So it does not matter what becomes of a [`Request`](crate::request::Request): waited for, dropped, forgotten,
//!    kept in a leaked box, it only *names* a slot of the arena.
//! 4. `Scope<'s, 'env>` is invariant in `'s`: a body cannot shorten `'s` to the life of one of its locals.
#![allow(unsafe_code)]

mod arena;
mod chunk;
mod exchange;
mod finish;
mod keep;
mod matched;
mod modes;
mod note;
mod post;

pub(crate) use arena::Arena;
pub(crate) use chunk::{Chunk, Kind, Place, Slot};
pub(crate) use finish::end_job;
pub(crate) use note::{Note, Operation};

use crate::comm::Communicator;
use crate::error::{Error, Result};
use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};

/// A handle to a [scope](Communicator::scope) and the communicator it talks on.
///
/// `Copy`: helpers take it by value, and return [requests](crate::request::Request) of its lifetime `'s`.
pub struct Scope<'s, 'env: 's> {
    pub(crate) arena: &'s Arena,
    pub(crate) comm: &'s Communicator,
    /// Invariant: see the module documentation, 4.
    scope: PhantomData<&'s mut &'s ()>,
    env: PhantomData<&'env mut &'env ()>,
}
impl Clone for Scope<'_, '_> {
    fn clone(&self) -> Self {
        *self
    }
}
impl Copy for Scope<'_, '_> {}

impl Communicator {
    /// Runs `body`, and returns only when MPI has given back every buffer that was lent in it.
    ///
    /// How it ends:
    /// - `Ok`: everything in flight is waited for, without limit.
    /// - `Err` (an early `?`): receives are cancelled, the rest is polled up to the
    ///   [stall limit](crate::environment::set_stall_limit); what is then still in flight ends the job, with a line
    ///   that names call, peer and tag.
    /// - a panic: if anything is still in flight the job ends, with one line.
    ///
    /// # Errors
    /// What `body` returns, or else the first error of what it left in flight.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let (mine, mut theirs) = ([1.0; 8], [0.0; 8]);
    /// let peer = world.size() - 1 - world.rank();
    /// world.scope(|s| {
    ///     let incoming = s.irecv(&mut theirs, peer, 0)?;
    ///     s.isend(&mine, peer, 0)?.defer();
    ///     // work that needs neither …
    ///     let got = incoming.wait()?;
    ///     println!("{:?} from {:?}", got.data, got.status.source());
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[inline(always)]
    pub fn scope<'env, R>(&'env self, body: impl for<'s> FnOnce(Scope<'s, 'env>) -> Result<R>) -> Result<R> {
        self.try_scope(body)
    }

    /// As [`scope`](Communicator::scope), with any error type that an [`Error`] converts into.
    ///
    /// # Errors
    /// What `body` returns, or else the first error of what it left in flight.
    #[inline(always)]
    pub fn try_scope<'env, R, E: From<Error>>(
        &'env self,
        body: impl for<'s> FnOnce(Scope<'s, 'env>) -> Result<R, E>,
    ) -> Result<R, E> {
        run(|arena| body(Scope { arena, comm: self, scope: PhantomData, env: PhantomData }))
    }
}

/// A rank that unwinds out of an exchange leaves its peers waiting, and must not pop the frame that MPI
/// writes to.
struct OnUnwind(*mut Arena);
impl Drop for OnUnwind {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the arena of `run`, which is unwinding.
        unsafe { unwind(self.0) };
    }
}

/// Runs `f` with an arena that it cannot outlive. The single place that soundness rests on.
#[inline(always)]
fn run<R, E: From<Error>>(f: impl FnOnce(&Arena) -> Result<R, E>) -> Result<R, E> {
    // Dropped by hand: a scope that leaves nothing behind, which is the usual one, has nothing to drop.
    let mut arena = ManuallyDrop::new(Arena::new());
    let arena: *mut Arena = &raw mut *arena;
    let guard = OnUnwind(arena);
    // SAFETY: lives until the end of this function, and is only shared until `f` has returned.
    match f(unsafe { &*arena }) {
        Ok(value) => {
            // SAFETY: as above.
            if unsafe { &*arena }.is_idle() {
                mem::forget(guard);
                return Ok(value);
            }
            // SAFETY: `f` has returned, and this is the end.
            unsafe { finish(arena, guard) }?;
            Ok(value)
        }
        Err(error) => {
            // SAFETY: as above.
            unsafe { finish_after_error(arena, guard) };
            Err(error)
        }
    }
}

/// The guard goes only when MPI owns nothing any more: should finishing itself panic, nobody gets past it. It goes before
/// what was kept is dropped: a destructor that panics must not make it drop the arena again.
///
/// # Safety
/// The arena is valid, the guard's, and not used afterwards.
#[cold]
unsafe fn finish(arena: *mut Arena, guard: OnUnwind) -> Result<()> {
    // SAFETY: this function's contract.
    let result = unsafe { &*arena }.finish();
    mem::forget(guard);
    // SAFETY: this function's contract; MPI owns nothing of it.
    unsafe { arena.drop_in_place() };
    result
}

/// # Safety
/// As `finish`.
#[cold]
unsafe fn finish_after_error(arena: *mut Arena, guard: OnUnwind) {
    // SAFETY: this function's contract.
    unsafe { &*arena }.finish_after_error();
    mem::forget(guard);
    // SAFETY: this function's contract; MPI owns nothing of it.
    unsafe { arena.drop_in_place() };
}

/// # Safety
/// The arena is valid, and not used afterwards.
#[cold]
unsafe fn unwind(arena: *mut Arena) {
    // SAFETY: this function's contract.
    unsafe { &*arena }.finish_unwinding();
    // SAFETY: this function's contract; MPI owns nothing of it.
    unsafe { arena.drop_in_place() };
}

impl<'s> Scope<'s, '_> {
    /// The same scope, talking on another communicator.
    pub fn on(self, comm: &'s Communicator) -> Self {
        Scope { comm, ..self }
    }

    /// The communicator this scope talks on.
    pub fn comm(&self) -> &'s Communicator {
        self.comm
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("comm", self.comm).finish_non_exhaustive()
    }
}
