//! Where the ranks of a neighbourhood collective stand, and who their neighbours are by the standard.

/// A grid of ranks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    /// One dimension, periodic: everybody has two neighbours, with two ranks twice the same one, alone themselves.
    Ring,
    /// Two dimensions, of which the first is periodic; nobody is beyond the ends of the second.
    Rows,
    /// Two dimensions, of which the second is periodic.
    Columns,
}
pub const SHAPES: [Shape; 3] = [Shape::Rows, Shape::Ring, Shape::Columns];

impl Shape {
    /// As near to a square as the number of ranks lets it be, of as many columns as rows or more.
    pub fn dims(self, ranks: usize) -> Vec<usize> {
        let rows = (1..=ranks).rfind(|&rows| ranks.is_multiple_of(rows) && rows * rows <= ranks);
        match (self, rows) {
            (Shape::Rows | Shape::Columns, Some(rows)) => vec![rows, ranks / rows],
            _ => vec![ranks],
        }
    }

    pub fn periods(self) -> &'static [bool] {
        match self {
            Shape::Ring => &[true],
            Shape::Rows => &[true, false],
            Shape::Columns => &[false, true],
        }
    }

    /// For each dimension the rank at the lower coordinate, then the one at the higher (MPI 4.1 §8.6), where ranks are
    /// numbered row by row (§8.2).
    pub fn neighbors(self, ranks: usize, rank: usize) -> Vec<Option<usize>> {
        let dims = self.dims(ranks);
        let along = |dimension: usize| {
            let (len, stride) = (dims[dimension], dims[dimension + 1..].iter().product::<usize>());
            let coordinate = rank / stride % len;
            let first = rank - coordinate * stride;
            let wraps = self.periods()[dimension];
            let below = if coordinate > 0 { Some(coordinate - 1) } else { wraps.then_some(len - 1) };
            let above = if coordinate + 1 < len { Some(coordinate + 1) } else { wraps.then_some(0) };
            [below, above].map(|coordinate| Some(first + coordinate? * stride))
        };
        (0..dims.len()).flat_map(along).collect()
    }
}

/// The edge of a neighbour that leads here: its upper one, if it is below.
pub fn opposite(edge: usize) -> usize {
    edge ^ 1
}

#[test]
fn neighbors_in_the_order_of_the_standard() {
    let around = |shape: Shape, ranks, rank| shape.neighbors(ranks, rank);
    assert_eq!(around(Shape::Ring, 3, 0), [Some(2), Some(1)]);
    assert_eq!(around(Shape::Ring, 1, 0), [Some(0), Some(0)]);
    // 0 1 2 3
    // 4 5 6 7
    assert_eq!(Shape::Rows.dims(8), [2, 4]);
    assert_eq!(around(Shape::Rows, 8, 0), [Some(4), Some(4), None, Some(1)]);
    assert_eq!(around(Shape::Rows, 8, 6), [Some(2), Some(2), Some(5), Some(7)]);
    assert_eq!(around(Shape::Columns, 8, 3), [None, Some(7), Some(2), Some(0)]);
    assert_eq!(around(Shape::Columns, 2, 1), [None, None, Some(0), Some(0)]);
}
