//! Rectangles of a row-major array: where they lie, and whether two of them meet. Pure arithmetic.

use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::ops::Range;

/// A rectangle of a row-major array.
///
/// Made from two ranges `(rows, cols)`, from a row and a range of it `(r, cols)`, from a range of rows and one column
/// `(rows, c)`, or for an array of one row from a range of its elements.
///
/// ```
/// use mpi::persistent::Block;
/// assert_eq!(Block::from((3, 0..8)), Block::new(3..4, 0..8));
/// assert_eq!(Block::from((0..5, 7)), Block::new(0..5, 7..8));
/// assert_eq!(Block::from(10..20), Block::new(0..1, 10..20));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The rows.
    pub rows: Range<usize>,
    /// The columns.
    pub cols: Range<usize>,
}

impl Block {
    /// The cells of these rows and columns.
    pub const fn new(rows: Range<usize>, cols: Range<usize>) -> Self {
        Block { rows, cols }
    }

    /// Whether there is no cell in it.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() || self.cols.is_empty()
    }

    /// Whether a cell is in both.
    pub fn meets(&self, other: &Block) -> bool {
        let hit = |a: &Range<usize>, b: &Range<usize>| a.start.max(b.start) < a.end.min(b.end);
        hit(&self.rows, &other.rows) && hit(&self.cols, &other.cols)
    }
}

impl From<(Range<usize>, Range<usize>)> for Block {
    fn from((rows, cols): (Range<usize>, Range<usize>)) -> Self {
        Block { rows, cols }
    }
}
impl From<(usize, Range<usize>)> for Block {
    fn from((row, cols): (usize, Range<usize>)) -> Self {
        Block { rows: one(row), cols }
    }
}
impl From<(Range<usize>, usize)> for Block {
    fn from((rows, col): (Range<usize>, usize)) -> Self {
        Block { rows, cols: one(col) }
    }
}
impl From<Range<usize>> for Block {
    fn from(cols: Range<usize>) -> Self {
        Block { rows: 0..1, cols }
    }
}

/// No array has an element `usize::MAX`: where the end cannot be written, the start is out of range already.
fn one(index: usize) -> Range<usize> {
    index.min(usize::MAX - 1)..index.saturating_add(1)
}

/// Rows and columns of an array. Their product is the number of its elements, so it does not overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    rows: usize,
    cols: usize,
}

/// A block inside an array: its first element, and how its rows follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub offset: usize,
    pub rows: usize,
    pub cols: usize,
    pub stride: usize,
}

impl Place {
    /// Whether the elements follow one another.
    pub(super) fn is_contiguous(&self) -> bool {
        self.rows <= 1 || self.cols == 0 || self.cols == self.stride
    }
}

impl Shape {
    /// All of it.
    pub(super) fn whole(&self) -> Block {
        Block::new(0..self.rows, 0..self.cols)
    }

    /// The shape of an array of `len` elements.
    pub(super) fn new(call: Call, len: usize, rows: usize, cols: usize) -> Result<Self> {
        match rows.checked_mul(cols) {
            Some(cells) if cells == len => Ok(Shape { rows, cols }),
            cells => Err(Error::length(call, Argument::Shape, cells.unwrap_or(usize::MAX), len)),
        }
    }

    /// One row of `len` elements.
    pub(super) fn row(len: usize) -> Self {
        Shape { rows: 1, cols: len }
    }

    /// Where the block lies, if it is inside.
    pub(super) fn place(&self, call: Call, block: &Block) -> Result<Place> {
        let inside = |range: &Range<usize>, n: usize, what: Argument| {
            if range.start > range.end {
                return Err(Error::length(call, Argument::BlockRange, range.start, range.end));
            }
            if range.end > n { Err(Error::length(call, what, range.end, n)) } else { Ok(()) }
        };
        inside(&block.rows, self.rows, Argument::BlockRows)?;
        inside(&block.cols, self.cols, Argument::BlockColumns)?;
        // The corner of an empty block may lie past the end; it stays at the start. Of any other it is an element,
        // whose index is less than the number of elements.
        let offset = if block.is_empty() { 0 } else { block.rows.start * self.cols + block.cols.start };
        Ok(Place { offset, rows: block.rows.len(), cols: block.cols.len(), stride: self.cols })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The elements of a block, one by one.
    fn cells(block: &Block, cols: usize) -> Vec<usize> {
        block.rows.clone().flat_map(|r| block.cols.clone().map(move |c| r * cols + c)).collect()
    }

    fn block() -> impl Strategy<Value = Block> {
        (0usize..7, 0usize..7, 0usize..7, 0usize..7).prop_map(|(a, b, c, d)| Block::new(a..b, c..d))
    }

    proptest! {
        #[test]
        fn blocks_meet_where_they_share_an_element(a in block(), b in block()) {
            let (of_a, of_b) = (cells(&a, 7), cells(&b, 7));
            prop_assert_eq!(a.meets(&b), of_a.iter().any(|cell| of_b.contains(cell)));
            prop_assert_eq!(a.meets(&b), b.meets(&a));
            prop_assert_eq!(a.is_empty(), of_a.is_empty());
        }

        #[test]
        fn a_place_names_the_elements_of_its_block(rows in 0usize..7, cols in 0usize..7, b in block()) {
            let shape = Shape::new(&"test", rows * cols, rows, cols).expect("the product is right");
            let inside = b.rows.start <= b.rows.end && b.rows.end <= rows
                && b.cols.start <= b.cols.end && b.cols.end <= cols;
            match shape.place(&"test", &b) {
                Ok(Place { offset, rows: r, cols: c, stride }) => {
                    prop_assert!(inside);
                    prop_assert!(offset <= rows * cols);
                    let named: Vec<_> = (0..r).flat_map(|r| (0..c).map(move |c| offset + r * stride + c)).collect();
                    prop_assert!(named.iter().all(|&at| at < rows * cols));
                    prop_assert_eq!(named, cells(&b, cols));
                }
                Err(error) => prop_assert!(!inside, "{}", error),
            }
        }
    }

    #[test]
    fn nothing_wraps_around() {
        assert!(Shape::new(&"test", 0, 1 << 32, 1 << 32).is_err(), "the product is 2^64");
        assert!(Shape::new(&"test", 2, usize::MAX, 2).is_err());
        let flat = Shape::new(&"test", 0, usize::MAX, 0).expect("no elements");
        assert_eq!(flat.place(&"test", &Block::new(5..usize::MAX, 0..0)).map(|place| place.offset), Ok(0));
        let shape = Shape::new(&"test", 4, 2, 2).expect("four elements");
        #[allow(clippy::reversed_empty_ranges, reason = "the mistake")]
        let reversed = Block::new(2..1, 0..2);
        for (block, text) in [
            (Block::new(0..usize::MAX, 0..2), "rows"),
            (Block::from((usize::MAX, 0..2)), "rows"),
            (Block::from((0..2, 2)), "columns"),
            (Block::from(0..5), "columns"),
            (reversed, "ends before"),
        ] {
            let error = shape.place(&"test", &block).expect_err("outside").to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
