//! Typemaps in the words of the standard (MPI 4.1 §5.1): a list of entries, and marks of bounds.

use mpi::datatype::Order;
use std::ops::Range;

/// A typemap, in elements: where they lie in the order in which they travel, and the marks of lower and upper bounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    pub places: Vec<i64>,
    lower: Vec<i64>,
    upper: Vec<i64>,
}

/// An array's dimension as `darray` takes it: size, block, ranks.
pub type Share = (usize, usize, usize);

impl Map {
    pub fn element() -> Self {
        Map { places: vec![0], ..Map::default() }
    }

    pub fn lb(&self) -> i64 {
        self.lower.iter().min().or(self.places.iter().min()).copied().unwrap_or(0)
    }
    pub fn ub(&self) -> i64 {
        let end = self.places.iter().max().map(|place| place + 1);
        self.upper.iter().max().copied().or(end).unwrap_or(0)
    }
    pub fn extent(&self) -> i64 {
        self.ub() - self.lb()
    }
    /// First place and end of the last.
    pub fn reach(&self) -> (i64, i64) {
        let first = self.places.iter().min().copied().unwrap_or(0);
        (first, self.places.iter().max().map_or(0, |last| last + 1))
    }

    /// Copies at places, in elements.
    pub fn at(&self, places: impl IntoIterator<Item = i64>) -> Self {
        let mut all = Map::default();
        for at in places {
            let moved = |entries: &[i64]| entries.iter().map(|entry| entry + at).collect::<Vec<_>>();
            all.places.extend(moved(&self.places));
            all.lower.extend(moved(&self.lower));
            all.upper.extend(moved(&self.upper));
        }
        all
    }

    pub fn and(mut self, other: Map) -> Self {
        self.places.extend(other.places);
        self.lower.extend(other.lower);
        self.upper.extend(other.upper);
        self
    }

    /// `count` copies in a row from a place on.
    pub fn row(&self, at: i64, count: usize) -> Self {
        self.at((0..count as i64).map(|i| at + i * self.extent()))
    }

    pub fn resized(&self, lower: i64, extent: i64) -> Self {
        Map { places: self.places.clone(), lower: vec![lower], upper: vec![lower + extent] }
    }

    /// Copies at those elements of an array whose indices are wanted, in the order of memory.
    fn selected(&self, sizes: &[usize], order: Order, wanted: impl Fn(usize, usize) -> bool) -> Self {
        let total: usize = sizes.iter().product();
        let places = (0..total).filter(|&place| {
            let mut rest = place;
            let mut dims: Vec<usize> = (0..sizes.len()).collect();
            if order == Order::C {
                dims.reverse();
            }
            dims.into_iter().all(|dim| {
                let index = rest % sizes[dim];
                rest /= sizes[dim];
                wanted(dim, index)
            })
        });
        self.at(places.map(|place| place as i64 * self.extent())).resized(0, total as i64 * self.extent())
    }

    pub fn subarray(&self, dims: &[(usize, Range<usize>)], order: Order) -> Self {
        let sizes: Vec<usize> = dims.iter().map(|(size, _)| *size).collect();
        self.selected(&sizes, order, |dim, index| dims[dim].1.contains(&index))
    }

    pub fn darray(&self, rank: usize, dims: &[Share], order: Order) -> Self {
        let sizes: Vec<usize> = dims.iter().map(|(size, ..)| *size).collect();
        let below = |dim: usize| dims[dim + 1..].iter().map(|(.., ranks)| ranks).product::<usize>();
        self.selected(&sizes, order, |dim, index| {
            let (_, block, ranks) = dims[dim];
            index / block % ranks == rank / below(dim) % ranks
        })
    }
}
