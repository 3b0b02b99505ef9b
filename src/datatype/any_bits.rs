//! What may be received, and how values that not every byte pattern spells are checked.

use super::{Agreed, Datatype, Unchecked};
use std::marker::PhantomData;

/// A type that a peer may fill with whatever bytes it likes.
///
/// `bool`, `char`, `NonZero*` and enums are not among them: they can be received by value or into a fresh `Vec`,
/// where [`FromBits`] checks them, but never lent to MPI as a buffer.
///
/// # Safety
/// Whatever bytes are where MPI writes (see [`Datatype`]), they make a valid value, be the bytes between them initialized
/// or not; and so do zeros.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to MPI for receiving: a peer's bytes may be no valid value of it",
    label = "not every bit pattern is a `{Self}`",
    note = "receive it by value (`recv::<T>`) or into a new `Vec` (`recv_vec::<T>`, `irecv_vec::<T>`), which check what arrived",
    note = "or receive an integer and convert it",
    note = "a struct whose fields can be lent can with `#[derive(mpi::AnyBits)]`, beside `mpi::Datatype`"
)]
pub unsafe trait AnyBits: FromBits<Bits = Self> {}

/// A type that can be made from what a peer sent, after a check.
///
/// # Safety
/// `Bits` has the size and alignment of `Self`, and wherever [`valid`](FromBits::valid) says yes after
/// [`complete`](FromBits::complete), the bits are a value of `Self`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be received over MPI",
    note = "numbers, `bool`, `char`, `NonZero*` and arrays of them can be received",
    note = "structs of them, and enums without fields, can with `#[derive(mpi::FromBits)]`, beside `mpi::Datatype`"
)]
pub unsafe trait FromBits: Datatype {
    /// What MPI writes into.
    #[doc(hidden)]
    type Bits: AnyBits;
    /// What a derive says of the fields it has seen.
    #[doc(hidden)]
    const AGREES: Agreed<Self> = Agreed::underived();
    /// Whether the bits are a value of `Self`.
    #[doc(hidden)]
    fn valid(bits: &Self::Bits) -> bool;
    /// Gives what does not travel its default.
    #[doc(hidden)]
    #[inline(always)]
    fn complete(_: &mut Self::Bits) {}
    /// What a derive calls with its `Bits`, so that they are this crate's type whatever a path leads to.
    #[doc(hidden)]
    #[inline(always)]
    fn is_unchecked(_: PhantomData<Unchecked<Self>>) {}
}
