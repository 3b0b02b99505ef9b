//! What may be received, and how values that not every byte pattern spells are checked.

use super::Datatype;

/// A type that a peer may fill with whatever bytes it likes.
///
/// `bool`, `char`, `NonZero*` and enums are not among them: they can be received by value or into a fresh `Vec`,
/// where [`FromBits`] checks them, but never lent to MPI as a buffer.
///
/// # Safety
/// Every bit pattern of `size_of::<Self>()` bytes is a valid value, and there is no padding that MPI does not write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to MPI for receiving: a peer's bytes may be no valid value of it",
    label = "not every bit pattern is a `{Self}`",
    note = "receive it by value (`recv::<T>`) or into a new `Vec` (`recv_vec::<T>`, `irecv_vec::<T>`), which check what arrived",
    note = "or receive an integer and convert it"
)]
pub unsafe trait AnyBits: Datatype {}

/// A type that can be made from what a peer sent, after a check.
///
/// # Safety
/// `Bits` has the size and alignment of `Self`, and wherever [`valid`](FromBits::valid) says yes, the bits are a
/// value of `Self`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be received over MPI",
    note = "numbers, `bool`, `char`, `NonZero*` and arrays of numbers can be received"
)]
pub unsafe trait FromBits: Datatype {
    /// What MPI writes into.
    #[doc(hidden)]
    type Bits: AnyBits;
    /// Whether the bits are a value of `Self`.
    #[doc(hidden)]
    fn valid(bits: &Self::Bits) -> bool;
}

// SAFETY: the same type, and every bit pattern is valid.
unsafe impl<T: AnyBits> FromBits for T {
    type Bits = T;
    #[inline]
    fn valid(_: &T) -> bool {
        true
    }
}
