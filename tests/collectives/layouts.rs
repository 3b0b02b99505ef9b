//! Counts and places of blocks: zero counts, gaps, any order. Every rank draws the same ones.

use crate::sample::{Sample, samples};
use mpi::buffer::Counts;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How blocks lie in a buffer: in which order, with how many unused elements before each.
#[derive(Clone, Debug)]
pub struct Layout {
    order: Vec<usize>,
    gaps: Vec<usize>,
}

/// A case for some number of ranks.
#[derive(Clone, Debug)]
pub struct Case {
    /// How much each rank sends to each.
    pub matrix: Vec<Vec<usize>>,
    pub send: Layout,
    pub recv: Layout,
}

impl Layout {
    pub fn counts(&self, counts: &[usize]) -> Counts {
        let (mut displs, mut end) = (vec![0; counts.len()], 0);
        for (&rank, gap) in self.order.iter().zip(&self.gaps) {
            displs[rank] = end + gap;
            end = displs[rank] + counts[rank];
        }
        Counts::new(counts).and_then(|counts| counts.with_displs(&displs)).expect("small")
    }
}

impl Case {
    /// What `rank` sends to each.
    pub fn row(&self, rank: usize) -> &[usize] {
        &self.matrix[rank]
    }
    /// What `rank` gets from each.
    pub fn column(&self, rank: usize) -> Vec<usize> {
        self.matrix.iter().map(|row| row[rank]).collect()
    }
    /// The same with as much in one direction as in the other.
    pub fn symmetric(&self) -> Self {
        let at = |a: usize, b: usize| self.matrix[a.min(b)][a.max(b)];
        let ranks = 0..self.matrix.len();
        let matrix = ranks.clone().map(|a| ranks.clone().map(|b| at(a, b)).collect()).collect();
        Case { matrix, ..self.clone() }
    }
}

fn layout(ranks: usize) -> impl Strategy<Value = Layout> {
    let order = Just((0..ranks).collect::<Vec<_>>()).prop_shuffle();
    (order, vec(0usize..3, ranks)).prop_map(|(order, gaps)| Layout { order, gaps })
}

fn case(ranks: usize) -> impl Strategy<Value = Case> {
    let count = prop_oneof![3 => Just(0usize), 6 => 1usize..6, 1 => 900usize..1100];
    let matrix = vec(vec(count, ranks), ranks);
    (matrix, layout(ranks), layout(ranks)).prop_map(|(matrix, send, recv)| Case { matrix, send, recv })
}

/// `n` cases for `ranks` ranks, the first with nothing at all.
pub fn cases(ranks: usize, n: usize) -> impl Iterator<Item = Case> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[17; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let nothing = move |case: Case| Case { matrix: vec![vec![0; ranks]; ranks], ..case };
    (0..n).map(move |i| {
        let drawn = case(ranks).new_tree(&mut runner).expect("nothing is rejected").current();
        if i == 0 { nothing(drawn) } else { drawn }
    })
}

/// The block that `from` sends to `to`.
pub fn message<T: Sample>(from: usize, to: usize, len: usize) -> Vec<T> {
    samples(1000 * from + to, len)
}

/// What is in a buffer where nobody has written.
pub fn blank<T: Sample>() -> T {
    T::sample(77_777)
}

/// A buffer with a block for each rank, blank between them, and a few elements longer than needed.
pub fn laid_out<T: Sample>(counts: &Counts, block: impl Fn(usize, usize) -> Vec<T>) -> Vec<T> {
    let mut all = vec![blank(); counts.span() + 2];
    for rank in 0..counts.len() {
        if counts.get(rank) > 0 {
            all[counts.range(rank)].copy_from_slice(&block(rank, counts.get(rank)));
        }
    }
    all
}
