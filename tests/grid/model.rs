//! What every rank gives, so that what each must get can be computed one after the other.

use mpi::FromBits;
use mpi::buffer::Counts;
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

    /// The first `n` elements that a rank gives another, of parts of any length.
    pub fn part(&self, rank: usize, to: usize, n: usize) -> Vec<T> {
        (0..n).map(|place| (self.value)(rank, 7 * to + place)).collect()
    }

    /// How many elements each rank has, where that differs.
    pub fn counts(&self) -> Counts {
        counts(self.ranks, self.len)
    }

    /// A part of each rank's, the others' still to come.
    pub fn own_part(&self, rank: usize) -> Vec<T> {
        let counts = self.counts();
        let mut all = self.junk(counts.total());
        all[counts.range(rank)].copy_from_slice(&self.part(rank, 0, counts.get(rank)));
        all
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
        self.folded(ranks.into_iter().map(|rank| self.block(rank, i))).expect("some rank")
    }

    /// Vectors combined element by element, from the left.
    pub fn folded(&self, parts: impl IntoIterator<Item = Vec<T>>) -> Option<Vec<T>> {
        let combine =
            |all: Vec<T>, part| all.into_iter().zip(part).map(|(a, b)| (self.combine)(a, b)).collect();
        parts.into_iter().reduce(combine)
    }

    /// What is overwritten: nobody's values.
    pub fn junk(&self, len: usize) -> Vec<T> {
        (0..len).map(|place| (self.value)(97, place + 1)).collect()
    }
}

/// A length for each rank, some of them 0.
pub fn counts(ranks: usize, len: usize) -> Counts {
    of((0..ranks).map(|rank| varied(len, rank)))
}

/// How many elements a rank and each other exchange.
pub fn between(ranks: usize, len: usize, rank: usize) -> Counts {
    of((0..ranks).map(|other| varied(len, rank + other)))
}

fn varied(len: usize, i: usize) -> usize {
    [len, len / 2, 0][i % 3]
}

fn of(counts: impl Iterator<Item = usize>) -> Counts {
    Counts::new(&counts.collect::<Vec<_>>()).expect("small")
}
