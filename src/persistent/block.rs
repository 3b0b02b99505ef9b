//! Blocks of a row-major array: where they lie, and whether two of them meet. Pure arithmetic.

use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::ops::Range;

/// A rectangle of a row-major array, or in an array of several planes a cuboid.
///
/// Made from two ranges `(rows, cols)`, from a row and a range of it `(r, cols)`, from a range of rows and one column
/// `(rows, c)`, for an array of one row from a range of its elements, and for one of several planes from three ranges
/// `[planes, rows, cols]`. What names no plane is of the first.
///
/// ```
/// use mpi::persistent::Block;
/// assert_eq!(Block::from((3, 0..8)), Block::new(3..4, 0..8));
/// assert_eq!(Block::from((0..5, 7)), Block::new(0..5, 7..8));
/// assert_eq!(Block::from(10..20), Block::new(0..1, 10..20));
/// assert_eq!(Block::from([0..1, 0..5, 7..8]), Block::new(0..5, 7..8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The planes.
    pub planes: Range<usize>,
    /// The rows of each.
    pub rows: Range<usize>,
    /// The columns.
    pub cols: Range<usize>,
}

impl Block {
    /// The cells of these rows and columns, of the first plane.
    pub const fn new(rows: Range<usize>, cols: Range<usize>) -> Self {
        Block { planes: 0..1, rows, cols }
    }

    /// Whether there is no cell in it.
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty() || self.rows.is_empty() || self.cols.is_empty()
    }

    /// Whether a cell is in both.
    pub fn meets(&self, other: &Block) -> bool {
        let hit = |a: &Range<usize>, b: &Range<usize>| a.start.max(b.start) < a.end.min(b.end);
        hit(&self.planes, &other.planes) && hit(&self.rows, &other.rows) && hit(&self.cols, &other.cols)
    }
}

impl From<[Range<usize>; 3]> for Block {
    fn from([planes, rows, cols]: [Range<usize>; 3]) -> Self {
        Block { planes, rows, cols }
    }
}
impl From<(Range<usize>, Range<usize>)> for Block {
    fn from((rows, cols): (Range<usize>, Range<usize>)) -> Self {
        Block::new(rows, cols)
    }
}
impl From<(usize, Range<usize>)> for Block {
    fn from((row, cols): (usize, Range<usize>)) -> Self {
        Block::new(one(row), cols)
    }
}
impl From<(Range<usize>, usize)> for Block {
    fn from((rows, col): (Range<usize>, usize)) -> Self {
        Block::new(rows, one(col))
    }
}
impl From<Range<usize>> for Block {
    fn from(cols: Range<usize>) -> Self {
        Block::new(0..1, cols)
    }
}

/// No array has an element `usize::MAX`: where the end cannot be written, the start is out of range already.
fn one(index: usize) -> Range<usize> {
    index.min(usize::MAX - 1)..index.saturating_add(1)
}

/// Planes, rows and columns of an array. Neither their product overflows, which is the number of its elements, nor that of the
/// last two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    dims: [usize; 3],
}

/// A block inside an array: its first element, its planes, rows and columns, and how far apart planes and rows begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub offset: usize,
    pub dims: [usize; 3],
    pub strides: [usize; 2],
}

impl Place {
    /// Whether the elements follow one another.
    pub(super) fn is_contiguous(&self) -> bool {
        let ([planes, rows, cols], [plane, row]) = (self.dims, self.strides);
        let in_a_plane = rows == 1 || cols == row;
        // No overflow: so many elements exist.
        self.dims.contains(&0) || in_a_plane && (planes == 1 || rows * cols == plane)
    }

    /// Whether it is of one plane, so that it can be seen as rows and columns.
    pub(super) fn is_flat(&self) -> bool {
        self.dims[0] == 1
    }
}

impl Shape {
    /// All of it.
    pub(super) fn whole(&self) -> Block {
        Block::from(self.dims.map(|n| 0..n))
    }

    /// The shape of an array of `len` elements.
    pub(super) fn new(call: Call, len: usize, dims: [usize; 3]) -> Result<Self> {
        let plane = dims[1].checked_mul(dims[2]);
        match plane.and_then(|plane| plane.checked_mul(dims[0])) {
            Some(cells) if cells == len => Ok(Shape { dims }),
            cells => Err(Error::length(call, Argument::Shape, cells.unwrap_or(usize::MAX), len)),
        }
    }

    /// One row of `len` elements.
    pub(super) fn row(len: usize) -> Self {
        Shape { dims: [1, 1, len] }
    }

    /// Where the block lies, if it is inside.
    pub(super) fn place(&self, call: Call, block: &Block) -> Result<Place> {
        let inside = |range: &Range<usize>, n: usize, what: Argument| {
            if range.start > range.end {
                return Err(Error::length(call, Argument::BlockRange, range.start, range.end));
            }
            if range.end > n { Err(Error::length(call, what, range.end, n)) } else { Ok(()) }
        };
        let [planes, rows, cols] = self.dims;
        inside(&block.planes, planes, Argument::BlockPlanes)?;
        inside(&block.rows, rows, Argument::BlockRows)?;
        inside(&block.cols, cols, Argument::BlockColumns)?;
        let strides = [rows * cols, cols];
        // The corner of an empty block may lie past the end; it stays at the start. Of any other it is an element,
        // whose index is less than the number of elements.
        let offset = if block.is_empty() {
            0
        } else {
            block.planes.start * strides[0] + block.rows.start * strides[1] + block.cols.start
        };
        Ok(Place { offset, dims: [block.planes.len(), block.rows.len(), block.cols.len()], strides })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The elements of a block of an array whose planes are of so many rows and columns, one by one.
    fn cells(block: &Block, rows: usize, cols: usize) -> Vec<usize> {
        let row = move |r: usize, block: &Block| block.cols.clone().map(|c| r * cols + c).collect::<Vec<_>>();
        let rows_of = |p: usize| block.rows.clone().flat_map(move |r| row(p * rows + r, block));
        block.planes.clone().flat_map(rows_of).collect()
    }

    fn block() -> impl Strategy<Value = Block> {
        let range = || (0usize..6, 0usize..6).prop_map(|(a, b)| a..b);
        [range(), range(), range()].prop_map(Block::from)
    }

    proptest! {
        #[test]
        fn blocks_meet_where_they_share_an_element(a in block(), b in block()) {
            let (of_a, of_b) = (cells(&a, 6, 6), cells(&b, 6, 6));
            prop_assert_eq!(a.meets(&b), of_a.iter().any(|cell| of_b.contains(cell)));
            prop_assert_eq!(a.meets(&b), b.meets(&a));
            prop_assert_eq!(a.is_empty(), of_a.is_empty());
        }

        #[test]
        fn a_place_names_the_elements_of_its_block(dims in prop::array::uniform3(0usize..6), b in block()) {
            let [planes, rows, cols] = dims;
            let shape = Shape::new(&"test", planes * rows * cols, dims).expect("the product is right");
            let fits = |range: &Range<usize>, n| range.start <= range.end && range.end <= n;
            let inside = fits(&b.planes, planes) && fits(&b.rows, rows) && fits(&b.cols, cols);
            match shape.place(&"test", &b) {
                Ok(place) => {
                    prop_assert!(inside);
                    let Place { offset, dims: [p, r, c], strides: [plane, row] } = place;
                    prop_assert!(offset <= planes * rows * cols);
                    let named: Vec<_> = (0..p)
                        .flat_map(|p| (0..r).map(move |r| offset + p * plane + r * row))
                        .flat_map(|start| start..start + c)
                        .collect();
                    prop_assert!(named.iter().all(|&at| at < planes * rows * cols));
                    prop_assert_eq!(place.is_contiguous(), named.windows(2).all(|pair| pair[0] + 1 == pair[1]));
                    prop_assert_eq!(named, cells(&b, rows, cols));
                }
                Err(error) => prop_assert!(!inside, "{}", error),
            }
        }
    }

    #[test]
    fn nothing_wraps_around() {
        assert!(Shape::new(&"test", 0, [1, 1 << 32, 1 << 32]).is_err(), "the product is 2^64");
        assert!(Shape::new(&"test", 0, [0, 1 << 32, 1 << 32]).is_err(), "a plane is 2^64");
        assert!(Shape::new(&"test", 0, [1 << 32, 1 << 16, 1 << 16]).is_err(), "the product is 2^64");
        assert!(Shape::new(&"test", 2, [1, usize::MAX, 2]).is_err());
        let flat = Shape::new(&"test", 0, [1, usize::MAX, 0]).expect("no elements");
        assert_eq!(flat.place(&"test", &Block::new(5..usize::MAX, 0..0)).map(|place| place.offset), Ok(0));
        let shape = Shape::new(&"test", 4, [1, 2, 2]).expect("four elements");
        #[allow(clippy::reversed_empty_ranges, reason = "the mistake")]
        let reversed = Block::new(2..1, 0..2);
        for (block, text) in [
            (Block::new(0..usize::MAX, 0..2), "rows"),
            (Block::from((usize::MAX, 0..2)), "rows"),
            (Block::from((0..2, 2)), "columns"),
            (Block::from(0..5), "columns"),
            (Block::from([1..2, 0..1, 0..1]), "planes"),
            (reversed, "ends before"),
        ] {
            let error = shape.place(&"test", &block).expect_err("outside").to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
