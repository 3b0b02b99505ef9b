//! Parts of arrays of any dimension: a block of one, and the part of one that a rank of a grid has.

use super::Layout;
use super::node::{Node, Refusal};
use crate::datatype::Datatype;
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use std::ops::Range;
use std::rc::Rc;

/// Which index of an array runs fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The last, as in C and Rust.
    #[doc(alias = "MPI_ORDER_C")]
    C,
    /// The first, as in Fortran.
    #[doc(alias = "MPI_ORDER_FORTRAN")]
    Fortran,
}

/// How a dimension of an array is dealt out to the ranks in that dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// In one block each: of so many indices, or as even as possible, rounded up.
    #[doc(alias("MPI_DISTRIBUTE_BLOCK", "MPI_DISTRIBUTE_DFLT_DARG"))]
    Block(Option<usize>),
    /// In blocks of so many indices (1 if not said), round and round.
    #[doc(alias = "MPI_DISTRIBUTE_CYCLIC")]
    Cyclic(Option<usize>),
    /// Not at all: there is one rank in this dimension.
    #[doc(alias = "MPI_DISTRIBUTE_NONE")]
    Undivided,
}

/// One dimension, whose indices lie `stride` elements apart: copies of what is below, in the part that is asked for.
type Dimension<'a> = &'a dyn Fn(usize, &Rc<Node>, i128) -> Result<Rc<Node>, Refusal>;

impl<T: Datatype> Layout<T> {
    /// A block of an array: its size and the range in each dimension (`MPI_Type_create_subarray`, MPI 4.1 §5.1.3). The extent
    /// is that of the whole array.
    ///
    /// # Errors
    /// A range is not inside its dimension, or the array is larger than memory can be.
    ///
    /// ```
    /// use mpi::datatype::{Layout, Order};
    /// let element = Layout::<u32>::element();
    /// let block = element.subarray(&[(3, 1..3), (4, 2..4)], Order::C)?; // rows 1 and 2, columns 2 and 3 of 3 x 4
    /// assert_eq!(block.places(), [6, 7, 10, 11]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Type_create_subarray")]
    pub fn subarray(&self, dims: &[(usize, Range<usize>)], order: Order) -> Result<Self> {
        const CALL: Call = &"MPI_Type_create_subarray";
        for (size, range) in dims {
            let (reached, end) = (range.start.max(range.end), range.end.min(*size));
            if reached > end {
                return Err(Error::length(CALL, Argument::LayoutRange, reached, end));
            }
        }
        let sizes: Vec<usize> = dims.iter().map(|(size, _)| *size).collect();
        self.array(CALL, &sizes, order, &|i, of, stride| {
            let Range { start, end } = dims[i].1;
            let row = Node::repeat(of, end - start, stride, size_of::<T>())?;
            let at = stride.checked_mul(start as i128).ok_or(Refusal::Far)?;
            Node::pieces([(at, 1, row)].into_iter(), size_of::<T>())
        })
    }

    /// What rank `rank` of `ranks` has of an array that is dealt out: in each dimension its size, how it is dealt out, and to
    /// how many ranks, whose grid is in row-major order (`MPI_Type_create_darray`, MPI 4.1 §5.1.4). The extent is that of the
    /// whole array.
    ///
    /// # Errors
    /// The ranks in the dimensions do not multiply to `ranks`, `rank` is none of them, blocks are empty or too small for all
    /// indices, a dimension that is not divided has several ranks, or the array is larger than memory can be.
    ///
    /// ```
    /// use mpi::datatype::{Distribution, Layout, Order};
    /// let element = Layout::<u32>::element();
    /// let mine = element.darray(2, 1, &[(7, Distribution::Cyclic(Some(2)), 2)], Order::C)?;
    /// assert_eq!(mine.places(), [2, 3, 6]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Type_create_darray")]
    pub fn darray(
        &self,
        ranks: usize,
        rank: usize,
        dims: &[(usize, Distribution, usize)],
        order: Order,
    ) -> Result<Self> {
        const CALL: Call = &"MPI_Type_create_darray";
        let grid = dims.iter().try_fold(1usize, |grid, &(_, _, n)| grid.checked_mul(n));
        if grid != Some(ranks) {
            return Err(Error::length(CALL, Argument::Nodes, ranks, grid.unwrap_or(usize::MAX)));
        }
        if rank >= ranks {
            return Err(Error::length(CALL, Argument::Rank, rank, ranks));
        }
        let sizes: Vec<usize> = dims.iter().map(|&(size, ..)| size).collect();
        let shares = shares(CALL, rank, dims)?;
        self.array(CALL, &sizes, order, &|i, of, stride| shares[i].node(of, sizes[i], stride, size_of::<T>()))
    }

    /// Copies in all dimensions, from the one that runs fastest on; the extent is that of the array.
    fn array(&self, call: Call, sizes: &[usize], order: Order, dimension: Dimension<'_>) -> Result<Self> {
        let (mut node, mut stride) = (self.node().clone(), i128::from(self.node().extent()));
        let nodes = (0..sizes.len()).try_for_each(|nth| {
            let i = if order == Order::C { sizes.len() - 1 - nth } else { nth };
            node = dimension(i, &node, stride)?;
            stride = stride.checked_mul(sizes[i] as i128).ok_or(Refusal::Far)?;
            Ok(())
        });
        Self::made(call, nodes.and_then(|()| Node::bounded(&node, 0, stride, size_of::<T>())))
    }
}

/// A rank's share of a dimension: every `ranks`-th block of `block` indices, from block `coordinate` on.
struct Share {
    block: usize,
    ranks: usize,
    coordinate: usize,
}

/// The share of `rank` in each dimension.
fn shares(call: Call, rank: usize, dims: &[(usize, Distribution, usize)]) -> Result<Vec<Share>> {
    let mut rest = rank;
    let shares = dims.iter().rev().map(|&(size, distribution, ranks)| {
        let coordinate = rest % ranks; // the grid is not empty: `rank` is in it
        rest /= ranks;
        let refused = |value| Error::length(call, Argument::LayoutShare, value, size);
        let block = match distribution {
            Distribution::Block(None) => size.div_ceil(ranks).max(1),
            Distribution::Block(Some(block)) if block.saturating_mul(ranks) < size => {
                return Err(refused(block));
            }
            Distribution::Block(Some(block)) => block.max(1),
            Distribution::Cyclic(block) => block.unwrap_or(1),
            Distribution::Undivided if ranks > 1 => return Err(refused(ranks)),
            Distribution::Undivided => size.max(1),
        };
        if block == 0 { Err(refused(0)) } else { Ok(Share { block, ranks, coordinate }) }
    });
    let mut shares = shares.collect::<Result<Vec<_>>>()?;
    shares.reverse();
    Ok(shares)
}

impl Share {
    fn node(&self, of: &Rc<Node>, size: usize, stride: i128, bytes: usize) -> Result<Rc<Node>, Refusal> {
        let Share { block, ranks, coordinate } = *self;
        let places = |indices: usize| stride.checked_mul(indices as i128).ok_or(Refusal::Far);
        // Whole blocks, of which one in `ranks` is mine, and the part of one at the end.
        let whole = size / block;
        let mine = whole.saturating_sub(coordinate).div_ceil(ranks);
        let mut pieces = Vec::new();
        if mine > 0 {
            let row = Node::repeat(of, block, stride, bytes)?;
            let round = places(block)?.checked_mul(ranks as i128).ok_or(Refusal::Far)?;
            let rows = Node::repeat(&row, mine, round, bytes)?;
            pieces.push((places(block * coordinate)?, 1, rows));
        }
        if whole % ranks == coordinate && !size.is_multiple_of(block) {
            pieces.push((places(block * whole)?, 1, Node::repeat(of, size % block, stride, bytes)?));
        }
        Node::pieces(pieces.into_iter(), bytes)
    }
}
