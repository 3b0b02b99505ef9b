//! What the grid knows of a collective: who gives and gets what, and how each form is called.

use crate::model::{Model, Value};
use crate::shape::Shape;
use mpi::op::Operation;
use mpi::{AnyBits, Communicator, ErrorClass, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `allreduce(&x, op)`
    Returning,
    /// `allreduce_into(&x, &mut y, op)`
    Into,
    /// `allreduce_in_place(&mut x, op)`
    InPlace,
    /// `s.iallreduce(&x, &mut y, op)`
    Scope,
    /// `s.iallreduce_in_place(&mut x, op)`
    ScopeInPlace,
    /// `comm.iallreduce(x, y, op)`
    Owned,
    /// `comm.iallreduce_in_place(x, op)`
    OwnedInPlace,
    /// `comm.allreduce_init(x, y, op)`, started twice
    Persistent,
    /// `plan.allreduce_in_place(x, op)`, started twice, each time on what was there at first
    PersistentInPlace,
}
use Form::{
    InPlace, Into, Owned, OwnedInPlace, Persistent, PersistentInPlace, Returning, Scope, ScopeInPlace,
};

/// Which factors matter.
#[derive(Clone, Copy)]
pub struct Uses {
    pub elements: bool,
    pub root: bool,
    pub op: bool,
    pub shape: bool,
}
impl Uses {
    pub const NOTHING: Uses = Uses { elements: false, root: false, op: false, shape: false };
    pub const ELEMENTS: Uses = Uses { elements: true, ..Self::NOTHING };
    pub const ROOT: Uses = Uses { root: true, ..Self::ELEMENTS };
    pub const OP: Uses = Uses { op: true, ..Self::ELEMENTS };
    pub const ALL: Uses = Uses { op: true, ..Self::ROOT };
    pub const NEIGHBORS: Uses = Uses { shape: true, ..Self::ELEMENTS };
}

/// Where a call is made.
#[derive(Clone, Copy)]
pub struct At<'a> {
    pub comm: &'a Communicator,
    pub root: usize,
    pub len: usize,
    pub shape: Shape,
}
impl<'a> At<'a> {
    fn new<T>(comm: &'a Communicator, m: &Model<T>) -> Self {
        At { comm, root: m.root, len: m.len, shape: m.shape }
    }
    /// What the root alone gives.
    pub fn root_only<B>(self, buffer: B) -> Option<B> {
        (self.comm.rank() == self.root).then_some(buffer)
    }
}

/// An entry of the grid. Forms that are not in `FORMS` are never called.
pub trait Collective {
    const NAME: &'static str;
    const USES: Uses;
    const FORMS: &'static [Form] =
        &[Returning, Into, InPlace, Scope, ScopeInPlace, Owned, OwnedInPlace, Persistent, PersistentInPlace];

    /// What a rank gives; empty if nothing.
    fn give<T: Value>(m: &Model<T>, rank: usize) -> Vec<T>;
    /// What a rank gets; `None` if it has no result.
    fn get<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>>;
    /// What is in its buffer then, whose own values may stay between blocks.
    fn filled<T: Value>(m: &Model<T>, rank: usize) -> Option<Vec<T>> {
        Self::get(m, rank)
    }
    /// How long the buffer is, which stays as it was, of a rank that has no result.
    fn unused<T: Value>(_: &Model<T>) -> usize {
        0
    }
    /// What a rank holds before the call in place.
    fn held<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        Self::give(m, rank)
    }
    /// And after it, as far as it is defined.
    fn after<T: Value>(m: &Model<T>, rank: usize) -> Vec<T> {
        Self::filled(m, rank).unwrap_or_else(|| Self::held(m, rank))
    }

    fn returning<T: Value, O: Operation<T>>(_: At<'_>, _: O, _: &[T]) -> Result<Option<Vec<T>>> {
        absent::<Self, _>(Returning)
    }
    fn into<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: &[T], _: &mut [T]) -> Result<()> {
        absent::<Self, _>(Into)
    }
    fn in_place<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: &mut [T]) -> Result<()> {
        absent::<Self, _>(InPlace)
    }
    fn scope<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: &[T], _: &mut [T]) -> Result<()> {
        absent::<Self, _>(Scope)
    }
    fn scope_in_place<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: &mut [T]) -> Result<()> {
        absent::<Self, _>(ScopeInPlace)
    }
    /// Gives both buffers back.
    fn owned<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: Both<T>) -> Result<Both<T>> {
        absent::<Self, _>(Owned)
    }
    fn persistent<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: Both<T>) -> Result<Both<T>> {
        absent::<Self, _>(Persistent)
    }
    /// Gives the buffer back.
    fn owned_in_place<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: Vec<T>) -> Result<Vec<T>> {
        absent::<Self, _>(OwnedInPlace)
    }
    fn plan_in_place<T: Value + AnyBits, O: Operation<T>>(_: At<'_>, _: O, _: Vec<T>) -> Result<Vec<T>> {
        absent::<Self, _>(PersistentInPlace)
    }
}

/// What goes out, and what comes in.
pub type Both<T> = (Vec<T>, Vec<T>);

fn absent<C: Collective + ?Sized, R>(form: Form) -> R {
    panic!("{} has no form {form:?}", C::NAME)
}

/// Whether the library has persistent collectives; if not, each must say so.
fn has_persistent() -> bool {
    // Those of MPICH before 4.2 are refused.
    let wrong = cfg!(all(mpi_abi = "mpich", not(mpi_has = "MPI_Buffer_iflush")));
    !wrong && mpi::environment::loaded_library().is_ok_and(|library| library.standard.0 >= 4)
}

/// Makes one call and compares all that came of it; `Err` says what is wrong.
pub fn returning<C: Collective, T: Value, O: Operation<T>>(
    comm: &Communicator,
    m: &Model<T>,
    op: O,
) -> Result<(), String> {
    let (at, send) = (At::new(comm, m), C::give(m, comm.rank()));
    let result = C::returning(at, op, &send).map_err(|e| e.to_string())?;
    match (result, C::get(m, comm.rank())) {
        (Some(got), Some(expected)) => same("the result", &got, &expected),
        (None, None) => Ok(()),
        (got, _) => Err(format!("a result: {}", got.is_some())),
    }
}

/// The same for the forms that write into a buffer.
pub fn filling<C: Collective, T: Value + AnyBits, O: Operation<T>>(
    comm: &Communicator,
    m: &Model<T>,
    op: O,
    form: Form,
) -> Result<(), String> {
    let (at, rank) = (At::new(comm, m), comm.rank());
    let buffer = match in_place::<C, T, O>(at, op, C::held(m, rank), form) {
        None => None,
        Some(Err(e)) if is_absent(&e, form) => return Ok(()),
        Some(result) => Some(result.map_err(|e| e.to_string())?),
    };
    if let Some(mut buffer) = buffer {
        let after = C::after(m, rank);
        buffer.truncate(after.len());
        return same("the buffer", &buffer, &after);
    }
    let send = C::give(m, rank);
    let expected = C::filled(m, rank).unwrap_or_else(|| m.junk(C::unused(m)));
    let recv = m.junk(expected.len());
    let (sent, got) = match form {
        Returning => return returning::<C, T, O>(comm, m, op),
        Owned => C::owned(at, op, (send.clone(), recv)).map_err(|e| e.to_string())?,
        Persistent => match C::persistent(at, op, (send.clone(), recv)) {
            Err(e) if is_absent(&e, form) => return Ok(()),
            result => result.map_err(|e| e.to_string())?,
        },
        _ => {
            let (mut recv, call) = (recv, if form == Into { C::into } else { C::scope });
            call(at, op, &send, &mut recv).map_err(|e| e.to_string())?;
            (send.clone(), recv)
        }
    };
    same("what was sent", &sent, &send)?;
    same("the result", &got, &expected)
}

/// What the buffer is after a call in place, if the form is one.
fn in_place<C: Collective, T: Value + AnyBits, O: Operation<T>>(
    at: At<'_>,
    op: O,
    mut buffer: Vec<T>,
    form: Form,
) -> Option<Result<Vec<T>>> {
    match form {
        InPlace => Some(C::in_place(at, op, &mut buffer).map(|()| buffer)),
        ScopeInPlace => Some(C::scope_in_place(at, op, &mut buffer).map(|()| buffer)),
        OwnedInPlace => Some(C::owned_in_place(at, op, buffer)),
        PersistentInPlace => Some(C::plan_in_place(at, op, buffer)),
        Returning | Into | Scope | Owned | Persistent => None,
    }
}

/// Whether the library lacks persistent collectives, and the call says so.
fn is_absent(error: &mpi::Error, form: Form) -> bool {
    let is_persistent = matches!(form, Persistent | PersistentInPlace);
    error.class() == ErrorClass::UNSUPPORTED_OPERATION && is_persistent && !has_persistent()
}

fn same<T: Value>(what: &str, got: &[T], expected: &[T]) -> Result<(), String> {
    if got.len() != expected.len() {
        return Err(format!("{what} has {} elements, not {}", got.len(), expected.len()));
    }
    match got.iter().zip(expected).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(i) => {
            Err(format!("{what}: element {i} of {} is {:?}, not {:?}", got.len(), got[i], expected[i]))
        }
    }
}
