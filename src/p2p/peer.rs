//! Whom a message goes to or comes from, and its tag. Wildcards are types, never integers.

use crate::environment::{TAG_UB, live, tag_bound};
use crate::error::{Argument, Error, Result, State};
use crate::ffi::{self, Call};
use std::os::raw::c_int;
use std::sync::atomic::Ordering;

/// Where a message goes: a rank, or nowhere (`None`, `MPI_PROC_NULL`), which is what
/// [`shift`](crate::topology::Cartesian::shift) returns at the edge of a grid that is not periodic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Destination(Option<usize>);

impl From<usize> for Destination {
    #[inline(always)]
    fn from(rank: usize) -> Self {
        Destination(Some(rank))
    }
}
impl From<Option<usize>> for Destination {
    #[inline(always)]
    fn from(rank: Option<usize>) -> Self {
        Destination(rank)
    }
}

impl Destination {
    #[inline(always)]
    pub(crate) fn raw(self, call: Call, size: c_int) -> Result<c_int> {
        match self.0 {
            Some(rank) if rank < size as usize => Ok(rank as c_int),
            None => Ok(ffi::MPI_PROC_NULL),
            Some(rank) => Err(Error::length(call, Argument::Destination, rank, size as usize)),
        }
    }

    #[inline(always)]
    pub(crate) fn is_nowhere(self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn rank(self) -> Option<usize> {
        self.0
    }
}

/// Where a message may come from: a rank, nowhere (`None`, `MPI_PROC_NULL`), or [`Source::ANY`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source(Origin);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Origin {
    Rank(usize),
    Nowhere,
    Anywhere,
}

impl Source {
    /// Any rank (`MPI_ANY_SOURCE`).
    #[doc(alias = "MPI_ANY_SOURCE")]
    pub const ANY: Source = Source(Origin::Anywhere);

    #[inline(always)]
    pub(crate) fn raw(self, call: Call, size: c_int) -> Result<c_int> {
        match self.0 {
            Origin::Rank(rank) if rank < size as usize => Ok(rank as c_int),
            Origin::Nowhere => Ok(ffi::MPI_PROC_NULL),
            Origin::Anywhere => Ok(ffi::MPI_ANY_SOURCE),
            Origin::Rank(rank) => Err(Error::length(call, Argument::Source, rank, size as usize)),
        }
    }

    #[inline(always)]
    pub(crate) fn is_nowhere(self) -> bool {
        matches!(self.0, Origin::Nowhere)
    }
}
impl From<usize> for Source {
    #[inline(always)]
    fn from(rank: usize) -> Self {
        Source(Origin::Rank(rank))
    }
}
impl From<Option<usize>> for Source {
    #[inline(always)]
    fn from(rank: Option<usize>) -> Self {
        Source(rank.map_or(Origin::Nowhere, Origin::Rank))
    }
}

/// The tag of a message: 0 to `MPI_TAG_UB`, which is at least 32767. Made from an `i32`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(c_int);

/// The type of [`Tag::ANY`], which only receives and probes take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnyTag(());

impl Tag {
    /// Any tag (`MPI_ANY_TAG`): where a receive allows it.
    #[doc(alias = "MPI_ANY_TAG")]
    pub const ANY: AnyTag = AnyTag(());

    /// The largest tag (`MPI_TAG_UB`).
    ///
    /// # Errors
    /// MPI is not live.
    #[doc(alias = "MPI_TAG_UB")]
    pub fn upper_bound() -> Result<i32> {
        tag_bound().ok_or_else(|| Error::state(&"MPI_Comm_get_attr", State::NotInitialized))
    }

    /// The number.
    pub fn get(self) -> i32 {
        self.0
    }

    /// Checks the tag, and with the same comparison that MPI is live: the bound is −1 when it is not. Then, one more is
    /// 0, and no tag is less.
    #[inline(always)]
    pub(crate) fn raw(self, call: Call) -> Result<c_int> {
        let bound = TAG_UB.load(Ordering::Relaxed);
        if (self.0 as u32) < (bound as u32).wrapping_add(1) { Ok(self.0) } else { look_closer(call, self.0) }
    }
}

/// Where the bound is −1 because several threads may call MPI, another one holds.
#[cold]
fn look_closer(call: Call, tag: c_int) -> Result<c_int> {
    live(call)?;
    match tag_bound() {
        Some(bound) if (0..=bound).contains(&tag) => Ok(tag),
        Some(bound) => Err(Error::argument(call, Argument::Tag, tag.into(), bound as u64)),
        None => Err(Error::state(call, State::Finalized)),
    }
}

impl From<i32> for Tag {
    #[inline(always)]
    fn from(tag: i32) -> Self {
        Tag(tag)
    }
}
impl From<Tag> for i32 {
    fn from(tag: Tag) -> i32 {
        tag.0
    }
}
impl PartialEq<i32> for Tag {
    fn eq(&self, other: &i32) -> bool {
        self.0 == *other
    }
}

/// Which tags a receive or probe takes: one, or [`Tag::ANY`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TagPattern(Option<Tag>);

impl From<i32> for TagPattern {
    #[inline(always)]
    fn from(tag: i32) -> Self {
        TagPattern(Some(Tag(tag)))
    }
}
impl From<Tag> for TagPattern {
    #[inline(always)]
    fn from(tag: Tag) -> Self {
        TagPattern(Some(tag))
    }
}
impl From<AnyTag> for TagPattern {
    #[inline(always)]
    fn from(_: AnyTag) -> Self {
        TagPattern(None)
    }
}

impl TagPattern {
    #[inline(always)]
    pub(crate) fn raw(self, call: Call) -> Result<c_int> {
        match self.0 {
            Some(tag) => tag.raw(call),
            None => live(call).map(|()| ffi::MPI_ANY_TAG),
        }
    }
}
