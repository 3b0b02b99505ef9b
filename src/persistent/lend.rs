//! What a plan of a scope borrows.
#![allow(unsafe_code)]

use super::array::{Exclusive, Shared};
use crate::datatype::Datatype;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Of a plan or a partitioned message: it owns its memory, and frees it when MPI uses none of it.
#[derive(Debug)]
pub enum Owned {}

/// Of a plan or a partitioned message: it borrows its memory for the life `'s` of a [scope](crate::Scope), which keeps
/// the requests, and completes and frees those that are forgotten.
///
/// Invariant in `'s`: what could be taken for a plan of a shorter life could be lent what does not live long enough.
#[derive(Debug)]
pub struct Lent<'s>(PhantomData<&'s mut &'s ()>);

/// A borrow that a plan of a scope takes for `'s`: `&mut` or `&` of a slice, a `Vec` or an array.
///
/// # Safety
/// The elements are borrowed for `'s`: exclusively if `Access` is [`Exclusive`], and the pointer may then be written
/// through.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to a plan",
    label = "not a borrow of an array",
    note = "lend a `&mut [T]`, `&mut Vec<T>`, `&mut [T; N]`, or a `&` of one of them for what is only sent",
    note = "`T` must be a type that can be sent; a plan that owns its arrays is `Plan::new(&comm)`"
)]
pub unsafe trait LendArray<'s>: Sized {
    /// The element type.
    type Elem: Datatype;
    /// [`Exclusive`] or [`Shared`].
    type Access;
    #[doc(hidden)]
    fn lend(self) -> NonNull<[Self::Elem]>;
}

macro_rules! lend_array {
    ($([$($generics:tt)+] $t:ty;)+) => { $(
        // SAFETY: an exclusive borrow for `'s`.
        unsafe impl<'s, $($generics)+> LendArray<'s> for &'s mut $t {
            type Elem = T;
            type Access = Exclusive;
            fn lend(self) -> NonNull<[T]> {
                let elements: &'s mut [T] = self;
                NonNull::from(elements)
            }
        }
        // SAFETY: a shared borrow for `'s`.
        unsafe impl<'s, $($generics)+> LendArray<'s> for &'s $t {
            type Elem = T;
            type Access = Shared;
            fn lend(self) -> NonNull<[T]> {
                let elements: &'s [T] = self;
                NonNull::from(elements)
            }
        }
    )+ };
}
lend_array! {
    [T: Datatype] [T];
    [T: Datatype] Vec<T>;
    [T: Datatype, const N: usize] [T; N];
}
