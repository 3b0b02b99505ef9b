//! Buffers with counts: a block for each rank.

use super::Counts;

/// A slice of which each rank has a block: `data.with_counts(&counts)`.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a, T> {
    pub(crate) data: &'a [T],
    pub(crate) counts: &'a Counts,
}

/// A slice of which each rank fills a block: `data.with_counts_mut(&counts)`.
#[derive(Debug)]
pub struct BlocksMut<'a, T> {
    pub(crate) data: &'a mut [T],
    pub(crate) counts: &'a Counts,
}

/// Says of a slice which ranks have which of its elements.
///
/// Whether they fit is checked where the blocks are used.
pub trait WithCounts<T> {
    /// A block for each rank, to be sent.
    fn with_counts<'a>(&'a self, counts: &'a Counts) -> Blocks<'a, T>;
    /// A block for each rank, to be received into.
    fn with_counts_mut<'a>(&'a mut self, counts: &'a Counts) -> BlocksMut<'a, T>;
}

impl<T> WithCounts<T> for [T] {
    fn with_counts<'a>(&'a self, counts: &'a Counts) -> Blocks<'a, T> {
        Blocks { data: self, counts }
    }
    fn with_counts_mut<'a>(&'a mut self, counts: &'a Counts) -> BlocksMut<'a, T> {
        BlocksMut { data: self, counts }
    }
}
