//! What a rank has for each other, in the shapes in which programs have it.

use super::{Blocks, Counted, Counts, OwnedSend, WithCounts};
use crate::datatype::Datatype;
use crate::error::Result;
use std::borrow::Cow;

/// A message for each rank, of any lengths: a vector, slice or array of `Vec<T>`, `&[T]`, `Box<[T]>` or `[T; N]`; or
/// one buffer with counts, which is not copied: `data.with_counts(&counts)`, [`Counted`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what each rank gets",
    label = "not a message for each rank",
    note = "give a `Vec<Vec<T>>`, `[Vec<T>]`, `[&[T]]`, or `data.with_counts(&counts)`, where `T` is an MPI datatype"
)]
pub trait PerRank: sealed::Sealed {
    /// The element type.
    type Elem: Datatype;
    #[doc(hidden)]
    fn flatten(&self) -> Result<Flattened<'_, Self::Elem>>;
}

/// The elements, one rank's after the other's, and how many each has.
pub(crate) type Flattened<'a, T> = (Cow<'a, [T]>, Cow<'a, Counts>);

mod sealed {
    pub trait Sealed {}

    /// One rank's message.
    pub trait Message {
        type Elem: super::Datatype;
        fn elements(&self) -> &[Self::Elem];
    }
}
use sealed::{Message, Sealed};

macro_rules! messages {
    ($([$($generics:tt)+] $t:ty;)+) => { $(
        impl<$($generics)+> Message for $t {
            type Elem = T;
            fn elements(&self) -> &[T] {
                self
            }
        }
    )+ };
}
messages! {
    [T: Datatype] Vec<T>;
    [T: Datatype] Box<[T]>;
    [T: Datatype] &[T];
    [T: Datatype] &Vec<T>;
    [T: Datatype, const N: usize] [T; N];
}

impl<M: Message> PerRank for [M] {
    type Elem = M::Elem;
    fn flatten(&self) -> Result<Flattened<'_, M::Elem>> {
        let counts = Counts::packed(self.iter().map(|message| message.elements().len()))?;
        let mut filled = self.iter().map(Message::elements).filter(|message| !message.is_empty());
        let first = filled.next().unwrap_or_default();
        let Some(second) = filled.next() else {
            return Ok((Cow::Borrowed(first), Cow::Owned(counts))); // nothing to put it beside
        };
        let mut all = Vec::with_capacity(counts.total());
        [first, second].into_iter().chain(filled).for_each(|message| all.extend_from_slice(message));
        Ok((Cow::Owned(all), Cow::Owned(counts)))
    }
}
impl<M: Message> PerRank for Vec<M> {
    type Elem = M::Elem;
    fn flatten(&self) -> Result<Flattened<'_, M::Elem>> {
        self.as_slice().flatten()
    }
}
impl<M: Message, const N: usize> PerRank for [M; N] {
    type Elem = M::Elem;
    fn flatten(&self) -> Result<Flattened<'_, M::Elem>> {
        self.as_slice().flatten()
    }
}
impl<T: Datatype> PerRank for Blocks<'_, T> {
    type Elem = T;
    fn flatten(&self) -> Result<Flattened<'_, T>> {
        Ok((Cow::Borrowed(self.data), Cow::Borrowed(self.counts)))
    }
}

impl<B: OwnedSend> PerRank for Counted<B> {
    type Elem = B::Elem;
    fn flatten(&self) -> Result<Flattened<'_, B::Elem>> {
        Ok((Cow::Borrowed(self.buffer.elements()), Cow::Borrowed(&self.counts)))
    }
}

impl<M: Message> Sealed for [M] {}
impl<M: Message> Sealed for Vec<M> {}
impl<M: Message, const N: usize> Sealed for [M; N] {}
impl<T: Datatype> Sealed for Blocks<'_, T> {}
impl<B: OwnedSend> Sealed for Counted<B> {}

/// What [`PerRank::flatten`] made, as blocks.
pub(crate) fn blocks<'a, T: Datatype>((data, counts): &'a Flattened<'_, T>) -> Blocks<'a, T> {
    data.with_counts(counts)
}
