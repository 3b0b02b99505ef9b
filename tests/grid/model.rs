//! What every rank gives, so that what each must get can be computed one after the other.

use crate::shape::Shape;
use mpi::FromBits;
use mpi::buffer::Counts;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

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
    /// Who is whose neighbour.
    pub shape: Shape,
    /// What results are made of before anything has come.
    pub zero: T,
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

    /// A buffer with these blocks, one element longer than they need. Between them, and where there is no block for an
    /// index, is what stays as it was.
    pub fn laid(&self, counts: &Counts, block: impl Fn(usize) -> Vec<T>) -> Vec<T> {
        self.over(self.junk(counts.span() + 1), counts, block)
    }

    /// The same in a buffer that is there.
    pub fn over(&self, mut all: Vec<T>, counts: &Counts, block: impl Fn(usize) -> Vec<T>) -> Vec<T> {
        for i in 0..counts.len() {
            let block = block(i);
            if !block.is_empty() {
                all[counts.range(i)].copy_from_slice(&block);
            }
        }
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

/// Such lengths where `rank` has the blocks: in any order, with gaps.
pub fn laid_out(ranks: usize, len: usize, rank: usize) -> Counts {
    placed(&counts(ranks, len), (len, rank))
}

/// How many elements a rank and each other exchange.
pub fn between(ranks: usize, len: usize, rank: usize) -> Counts {
    of((0..ranks).map(|other| varied(len, rank + other)))
}

pub fn varied(len: usize, i: usize) -> usize {
    [len, len / 2, 0][i % 3]
}

/// The same counts with a place for each block, drawn by `seed`: in any order, with gaps. Now and then one after the other.
pub fn placed(counts: &Counts, seed: impl Hash) -> Counts {
    let draw = |i: usize| {
        let mut hasher = DefaultHasher::new();
        (&seed, i).hash(&mut hasher);
        hasher.finish() as usize
    };
    if draw(counts.len()).is_multiple_of(4) {
        return counts.clone();
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&i| draw(i));
    let (mut displs, mut end) = (vec![0; counts.len()], 0);
    for i in order {
        displs[i] = end + draw(i) % 3;
        end = displs[i] + counts.get(i);
    }
    counts.with_displs(&displs).expect("small")
}

pub fn of(counts: impl Iterator<Item = usize>) -> Counts {
    Counts::new(&counts.collect::<Vec<_>>()).expect("small")
}

#[test]
fn blocks_lie_in_many_orders_with_gaps_and_apart() {
    let counts = counts(4, 7);
    let drawn: Vec<Counts> = (0..100).map(|seed| placed(&counts, seed)).collect();
    let starts = |counts: &Counts| (0..4).map(|i| counts.range(i).start).collect::<Vec<_>>();
    for placed in &drawn {
        assert_eq!(placed.to_vec(), counts.to_vec());
        let all: Vec<usize> = (0..4).flat_map(|i| placed.range(i)).collect();
        assert_eq!(std::collections::BTreeSet::from_iter(&all).len(), all.len(), "{placed:?}");
    }
    assert!(drawn.iter().filter(|placed| !starts(placed).is_sorted()).count() > 50);
    assert!(drawn.iter().filter(|placed| placed.span() > placed.total()).count() > 50);
    assert!(drawn.contains(&counts));
}
