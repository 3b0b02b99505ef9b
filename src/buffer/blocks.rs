//! Buffers with counts: a block for each rank.

use super::{Counts, OwnedRecv, OwnedSend};
use std::ops::{Index, IndexMut};

/// A slice of which each rank has a block: `data.with_counts(&counts)`. `blocks[rank]` is a rank's block.
#[derive(Debug)]
pub struct Blocks<'a, T> {
    pub(crate) data: &'a [T],
    pub(crate) counts: &'a Counts,
}
impl<T> Clone for Blocks<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Blocks<'_, T> {}

/// A slice of which each rank fills a block: `data.with_counts_mut(&counts)`. `blocks[rank]` is a rank's block.
#[derive(Debug)]
pub struct BlocksMut<'a, T> {
    pub(crate) data: &'a mut [T],
    pub(crate) counts: &'a Counts,
}

/// Says of a slice which ranks have which of its elements.
///
/// Whether they fit is checked where the blocks are used.
///
/// ```
/// use mpi::buffer::{Counts, WithCounts};
/// let counts = Counts::new(&[2, 0, 1])?;
/// let data = vec!['a', 'b', 'c'];
/// let blocks = data.with_counts(&counts);
/// assert_eq!((&blocks[0], &blocks[2]), (&['a', 'b'][..], &['c'][..]));
/// # Ok::<(), mpi::Error>(())
/// ```
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

impl<'a, T> Blocks<'a, T> {
    /// All of the slice, with what no rank has.
    pub fn data(&self) -> &'a [T] {
        self.data
    }
    /// How many elements each rank has, and where.
    pub fn counts(&self) -> &'a Counts {
        self.counts
    }
    /// The block of each rank, in order.
    ///
    /// # Panics
    /// When a block is reached that is not inside the slice, as slices do.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [T]> + use<'a, T> {
        self.counts.split(self.data)
    }
}

impl<'a, T> BlocksMut<'a, T> {
    /// All of the slice, with what no rank has.
    pub fn into_data(self) -> &'a mut [T] {
        self.data
    }
    /// How many elements each rank has, and where.
    pub fn counts(&self) -> &'a Counts {
        self.counts
    }
    /// The block of each rank, in order.
    ///
    /// # Panics
    /// When a block is reached that is not inside the slice, as slices do.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.counts.split(self.data)
    }
}

impl<T> Index<usize> for Blocks<'_, T> {
    type Output = [T];
    #[track_caller]
    fn index(&self, rank: usize) -> &[T] {
        self.counts.block(self.data, rank)
    }
}
impl<T> Index<usize> for BlocksMut<'_, T> {
    type Output = [T];
    #[track_caller]
    fn index(&self, rank: usize) -> &[T] {
        self.counts.block(self.data, rank)
    }
}
impl<T> IndexMut<usize> for BlocksMut<'_, T> {
    #[track_caller]
    fn index_mut(&mut self, rank: usize) -> &mut [T] {
        self.counts.block_mut(self.data, rank)
    }
}

/// A buffer of which each rank has a block, owned, for requests that own their buffers: `Counted::new(vec, counts)`.
///
/// ```
/// use mpi::buffer::{Counted, Counts};
/// let counted = Counted::new(vec![1, 2, 3], Counts::new(&[2, 1])?);
/// let (vec, counts) = counted.into_parts();
/// # assert_eq!((vec.len(), counts.total()), (3, 3));
/// # Ok::<(), mpi::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Counted<B> {
    pub(crate) buffer: B,
    // Shared, so it stays in place when this moves.
    pub(crate) counts: Counts,
}

impl<B> Counted<B> {
    /// A buffer and the ranks' blocks in it. Whether they fit is checked where it is used.
    pub fn new(buffer: B, counts: Counts) -> Self {
        Counted { buffer, counts }
    }
    /// The buffer and the counts.
    pub fn into_parts(self) -> (B, Counts) {
        (self.buffer, self.counts)
    }
    /// How many elements each rank has, and where.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}

impl<B: OwnedSend> Counted<B> {
    /// The blocks, to be sent.
    pub fn blocks(&self) -> Blocks<'_, B::Elem> {
        self.buffer.elements().with_counts(&self.counts)
    }
}
impl<B: OwnedRecv> Counted<B> {
    /// The blocks, to be received into.
    pub fn blocks_mut(&mut self) -> BlocksMut<'_, B::Elem> {
        self.buffer.elements_mut().with_counts_mut(&self.counts)
    }
}
