//! What every rank gives, so that what each must get can be computed one after the other.

use mpi::FromBits;
use std::fmt::Debug;

/// What an element must be for the grid.
pub trait Value: FromBits + PartialEq + Debug {}
impl<T: FromBits + PartialEq + Debug> Value for T {}

/// The whole communicator, seen from outside.
#[derive(Clone, Copy)]
pub struct Model<T> {
    pub ranks: usize,
    pub root: usize,
    /// Elements of a block.
    pub len: usize,
    /// The element that a rank gives at a place.
    pub value: fn(usize, usize) -> T,
    pub combine: fn(T, T) -> T,
}

impl<T: Value> Model<T> {
    /// The `i`-th block of those that a rank gives.
    pub fn block(&self, rank: usize, i: usize) -> Vec<T> {
        (0..self.len).map(|place| (self.value)(rank, i * self.len + place)).collect()
    }

    /// All blocks that a rank gives, one for each rank.
    pub fn blocks(&self, rank: usize) -> Vec<T> {
        (0..self.ranks).flat_map(|i| self.block(rank, i)).collect()
    }

    /// The `i`-th block of each rank, in the order of ranks.
    pub fn column(&self, i: usize) -> Vec<T> {
        (0..self.ranks).flat_map(|rank| self.block(rank, i)).collect()
    }

    /// The `i`-th block of some ranks, combined element by element.
    pub fn combined(&self, ranks: impl IntoIterator<Item = usize>, i: usize) -> Vec<T> {
        let combine =
            |all: Vec<T>, part| all.into_iter().zip(part).map(|(a, b)| (self.combine)(a, b)).collect();
        ranks.into_iter().map(|rank| self.block(rank, i)).reduce(combine).expect("some rank")
    }

    /// What is overwritten: nobody's values.
    pub fn junk(&self, len: usize) -> Vec<T> {
        (0..len).map(|place| (self.value)(97, place + 1)).collect()
    }
}
