//! Values that own memory MPI may use, for requests that outlive every borrow.
//!
//! The memory must stay where it is when the value moves: a request is moved about while it is in flight. So a vector
//! or a box can be such a buffer and an array cannot; and nothing borrowed can but for `'static`, because a request
//! that is forgotten never ends.

use super::Region;
use crate::datatype::{AnyBits, Datatype, Scalar};
use std::rc::Rc;
use std::slice;
use std::sync::Arc;

/// A value that owns memory which MPI may read: `Vec<T>`, `Box<[T]>`, `Box<[T; N]>`, `Box<T>`, `Arc<[T]>`, `Rc<[T]>`,
/// `&'static [T]`, `&'static mut [T]`, or a type of your own.
///
/// ```
/// /// Rows and columns in one allocation.
/// struct Matrix {
///     cells: Vec<f64>,
///     cols: usize,
/// }
/// // SAFETY: the cells are in a vector that is not touched unless the matrix is used.
/// unsafe impl mpi::buffer::OwnedSend for Matrix {
///     type Elem = f64;
///     fn elements(&self) -> &[f64] {
///         &self.cells
///     }
/// }
/// ```
///
/// # Safety
/// As long as nobody uses the value, and even if it is moved or forgotten, the memory of the slice that
/// [`elements`](OwnedSend::elements) returns stays valid, at its address, and unmodified.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not own a buffer that stays in place, so a request cannot own it for sending",
    label = "would move with the request",
    note = "move in a `Vec<T>`, `Box<[T]>`, `Box<T>` or `Arc<[T]>`; an array or a number is boxed first: `Box::new(x)`",
    note = "to lend what you keep, use a scope: `comm.scope(|s| s.isend(&x, ...))`"
)]
pub unsafe trait OwnedSend: 'static {
    /// The element type.
    type Elem: Datatype;
    /// The elements that are sent.
    fn elements(&self) -> &[Self::Elem];
}

/// A value that owns memory which MPI may write: `Vec<T>` (as many elements as it has), `Box<[T]>`, `Box<[T; N]>`,
/// `Box<T>`, `&'static mut [T]`, or a type of your own.
///
/// # Safety
/// As long as nobody uses the value, and even if it is moved or forgotten, the memory of the slice that
/// [`elements_mut`](OwnedRecv::elements_mut) returns stays valid, at its address, and nobody else reads or writes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not own a buffer that stays in place, so a request cannot own it for receiving",
    label = "would move with the request, or is shared, or holds what cannot be received",
    note = "move in a `Vec<T>`, `Box<[T]>` or `Box<T>`, where every bit pattern of `T` is valid; an array or a number is boxed first: `Box::new(x)`",
    note = "`bool`, `char`, `NonZero*` and enums are received into a new vector: `irecv_vec::<T>`",
    note = "to lend what you keep, use a scope: `comm.scope(|s| s.irecv(&mut x, ...))`"
)]
pub unsafe trait OwnedRecv: 'static {
    /// The element type.
    type Elem: AnyBits;
    /// The elements that are received into.
    fn elements_mut(&mut self) -> &mut [Self::Elem];
}

macro_rules! owned_send {
    ($([$($generics:tt)+] $t:ty: |$b:ident| $slice:expr;)+) => { $(
        // SAFETY: memory on the heap, which moves of its owner do not touch, or borrowed for ever; shared owners
        // cannot modify it, since no `Datatype` has interior mutability.
        unsafe impl<$($generics)+> OwnedSend for $t {
            type Elem = T;
            #[inline(always)]
            fn elements(&self) -> &[T] {
                let $b = self;
                $slice
            }
        }
    )+ };
}
owned_send! {
    [T: Datatype] Vec<T>: |b| b;
    [T: Datatype] Box<[T]>: |b| b;
    [T: Datatype, const N: usize] Box<[T; N]>: |b| &b[..];
    [T: Scalar] Box<T>: |b| slice::from_ref(&**b);
    [T: Datatype] Arc<[T]>: |b| b;
    [T: Datatype] Rc<[T]>: |b| b;
    [T: Datatype] &'static [T]: |b| b;
    [T: Datatype] &'static mut [T]: |b| b;
}

macro_rules! owned_recv {
    ($([$($generics:tt)+] $t:ty: |$b:ident| $slice:expr;)+) => { $(
        // SAFETY: as above, and the owner is the only one.
        unsafe impl<$($generics)+> OwnedRecv for $t {
            type Elem = T;
            #[inline(always)]
            fn elements_mut(&mut self) -> &mut [T] {
                let $b = self;
                $slice
            }
        }
    )+ };
}
owned_recv! {
    [T: AnyBits] Vec<T>: |b| b;
    [T: AnyBits] Box<[T]>: |b| b;
    [T: AnyBits, const N: usize] Box<[T; N]>: |b| &mut b[..];
    [T: AnyBits + Scalar] Box<T>: |b| slice::from_mut(&mut **b);
    [T: AnyBits] &'static mut [T]: |b| b;
}

/// What an owner holds, as MPI wants it described.
#[inline(always)]
pub(crate) fn send_region<B: OwnedSend>(buf: &B) -> Region {
    let elements = buf.elements();
    Region::contiguous(elements.as_ptr(), elements.len())
}

/// What an owner holds, to be written by MPI.
#[inline(always)]
pub(crate) fn recv_region<B: OwnedRecv>(buf: &mut B) -> Region {
    let elements = buf.elements_mut();
    Region::contiguous(elements.as_mut_ptr().cast_const(), elements.len())
}
