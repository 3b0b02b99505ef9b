//! A directed graph whose vertices are dealt out to the ranks.

use std::ops::Range;

/// One rank's vertices, in a row, with the edges that leave them.
#[derive(Debug)]
pub struct Graph {
    per_rank: usize,
    first: usize,
    /// Where the edges of each vertex begin, and where the last one's end.
    starts: Vec<usize>,
    targets: Vec<u64>,
}

impl Graph {
    /// `edges(v)` are the targets of vertex `v` of `vertices`.
    pub fn new<I>(vertices: usize, rank: usize, ranks: usize, edges: impl Fn(u64) -> I) -> Self
    where
        I: IntoIterator<Item = u64>,
    {
        let per_rank = vertices.div_ceil(ranks).max(1);
        let first = (rank * per_rank).min(vertices);
        let (mut starts, mut targets) = (vec![0], Vec::new());
        for v in first..(first + per_rank).min(vertices) {
            targets.extend(edges(v as u64));
            starts.push(targets.len());
        }
        Graph { per_rank, first, starts, targets }
    }

    /// This rank's vertices.
    pub fn mine(&self) -> Range<u64> {
        self.first as u64..(self.first + self.starts.len() - 1) as u64
    }

    /// Whose a vertex is.
    pub fn owner(&self, v: u64) -> usize {
        v as usize / self.per_rank
    }

    /// Which of this rank's vertices it is.
    pub fn local(&self, v: u64) -> usize {
        v as usize - self.first
    }

    /// Where the edges of one of this rank's vertices lead.
    pub fn neighbors(&self, local: usize) -> &[u64] {
        &self.targets[self.starts[local]..self.starts[local + 1]]
    }
}
