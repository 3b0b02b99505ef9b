//! The scope: a stack frame that cannot be left while MPI owns borrowed memory.
//!
//! # Why this is sound
//!
//! 1. A loan for `'s` borrows its buffer for `'s`, and `'s` outlives the body of [`Communicator::scope`]: the body
//!    is called for *every* `'s`, so it cannot lend what it owns itself, and nothing with `'s` in it can leave.
//! 2. `scope` returns, or unwinds, only when MPI owns none of the handles in the [`Arena`]: or the job ends.
//!    The arena and its slots are on the stack of `scope`, where safe code can neither forget nor leak them.
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
#[cfg(miri)]
pub(crate) use arena::INLINE;
pub(crate) use chunk::{Chunk, Kind, Place, Slot};
pub(crate) use finish::end_job;
pub(crate) use note::{Note, Operation};

use crate::comm::Communicator;
use crate::error::{Error, Result};
use arena::Inline;
use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop};
use std::ptr;

/// A handle to a [scope](Communicator::scope) and the communicator it talks on.
///
/// `Copy`: helpers take it by value, and return [requests](crate::request::Request) of its lifetime `'s`.
pub struct Scope<'s, 'env: 's> {
    pub(crate) arena: &'s Arena<'s>,
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
        // The single place that soundness rests on.
        let inline = Inline::new();
        // Dropped by hand: a scope that leaves nothing behind, which is the usual one, has nothing to drop.
        let arena = ManuallyDrop::new(Arena::new(&inline));
        let guard = OnUnwind(&arena);
        // Called here and not in a function of ours: it is inlined only if nothing is in between.
        let result = body(Scope { arena: &arena, comm: self, scope: PhantomData, env: PhantomData });
        mem::forget(guard); // from here to the end nothing panics but what has a guard of its own
        match result {
            Ok(value) if arena.is_idle() => Ok(value),
            Ok(value) => finish(ManuallyDrop::into_inner(arena)).map(|()| value).map_err(E::from),
            Err(error) => {
                finish_after_error(ManuallyDrop::into_inner(arena));
                Err(error)
            }
        }
    }
}

/// A rank that unwinds out of an exchange leaves its peers waiting, and must not pop the frame that MPI
/// writes to.
struct OnUnwind<'a>(&'a ManuallyDrop<Arena<'a>>);
impl Drop for OnUnwind<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: whoever made the guard is unwinding, and neither uses nor drops the arena after it.
        unwind(unsafe { ptr::read(&raw const **self.0) });
    }
}

#[cold]
#[inline(never)]
fn finish(arena: Arena<'_>) -> Result<()> {
    end(arena, |arena| arena.finish())
}

#[cold]
#[inline(never)]
fn finish_after_error(arena: Arena<'_>) {
    end(arena, |arena| arena.finish_after_error());
}

#[cold]
#[inline(never)]
fn unwind(arena: Arena<'_>) {
    let arena = ManuallyDrop::new(arena);
    arena.finish_unwinding(); // no guard: a second panic ends the job
    drop(ManuallyDrop::into_inner(arena));
}

/// The arena has moved; the slots that MPI knows stay where they are.
///
/// The guard goes only when MPI owns nothing any more: should finishing itself panic, nobody gets past it. It goes before
/// what was kept is dropped: a destructor that panics must not make it drop the arena again.
fn end<R>(arena: Arena<'_>, how: impl FnOnce(&Arena<'_>) -> R) -> R {
    let arena = ManuallyDrop::new(arena);
    let guard = OnUnwind(&arena);
    let result = how(&arena);
    mem::forget(guard);
    drop(ManuallyDrop::into_inner(arena));
    result
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
