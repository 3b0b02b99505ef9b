//! Layouts of blocks: in a row, at a stride, at places.

use super::Layout;
use super::node::Node;
use crate::datatype::Datatype;
use crate::error::Result;
use crate::ffi::Call;

impl<T: Datatype> Layout<T> {
    /// `count` copies, one after the other (`MPI_Type_contiguous`, MPI 4.1 §5.1.2).
    ///
    /// # Errors
    /// It would reach farther than memory does.
    #[doc(alias = "MPI_Type_contiguous")]
    pub fn contiguous(&self, count: usize) -> Result<Self> {
        let stride = self.node().extent().into();
        Self::made(&"MPI_Type_contiguous", Node::repeat(self.node(), count, stride, size_of::<T>()))
    }

    /// `count` blocks of `block` copies; each begins `stride` extents after the one before (`MPI_Type_vector`, MPI 4.1
    /// §5.1.2).
    ///
    /// # Errors
    /// It would reach farther than memory does.
    ///
    /// ```
    /// # use mpi::datatype::Layout;
    /// let backwards = Layout::<u32>::element().vector(3, 1, -1)?;
    /// assert_eq!(backwards.places(), [0, -1, -2]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Type_vector")]
    pub fn vector(&self, count: usize, block: usize, stride: isize) -> Result<Self> {
        // No overflow: both are less than 2^63.
        let stride = stride as i128 * i128::from(self.node().extent());
        self.strided(&"MPI_Type_vector", count, block, stride)
    }

    /// `count` blocks of `block` copies; each begins `stride` bytes after the one before (`MPI_Type_create_hvector`, MPI 4.1
    /// §5.1.2).
    ///
    /// # Errors
    /// The stride is not one of whole elements, or the layout would reach farther than memory does.
    #[doc(alias = "MPI_Type_create_hvector")]
    pub fn hvector(&self, count: usize, block: usize, stride: isize) -> Result<Self> {
        const CALL: Call = &"MPI_Type_create_hvector";
        self.strided(CALL, count, block, Self::whole(CALL, stride)?)
    }

    fn strided(&self, call: Call, count: usize, block: usize, stride: i128) -> Result<Self> {
        let block = Node::repeat(self.node(), block, self.node().extent().into(), size_of::<T>());
        Self::made(call, block.and_then(|block| Node::repeat(&block, count, stride, size_of::<T>())))
    }

    /// Blocks `(count, displacement)`: so many copies, so many extents from the origin (`MPI_Type_indexed`, MPI 4.1 §5.1.2).
    ///
    /// # Errors
    /// It would reach farther than memory does.
    ///
    /// ```
    /// # use mpi::datatype::Layout;
    /// let blocks = Layout::<u32>::element().indexed(&[(2, 4), (1, 0)])?;
    /// assert_eq!(blocks.places(), [4, 5, 0]);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Type_indexed")]
    pub fn indexed(&self, blocks: &[(usize, isize)]) -> Result<Self> {
        let extent = i128::from(self.node().extent());
        let pieces = blocks.iter().map(|&(count, at)| (at as i128 * extent, count, self.node().clone()));
        Self::made(&"MPI_Type_indexed", Node::pieces(pieces, size_of::<T>()))
    }

    /// Blocks of `count` copies each, at `displacements` in extents (`MPI_Type_create_indexed_block`, MPI 4.1 §5.1.2).
    ///
    /// # Errors
    /// It would reach farther than memory does.
    #[doc(alias = "MPI_Type_create_indexed_block")]
    pub fn indexed_block(&self, count: usize, displacements: &[isize]) -> Result<Self> {
        let extent = i128::from(self.node().extent());
        let pieces = displacements.iter().map(|&at| (at as i128 * extent, count, self.node().clone()));
        Self::made(&"MPI_Type_create_indexed_block", Node::pieces(pieces, size_of::<T>()))
    }

    /// Blocks `(count, displacement)`: so many copies, so many bytes from the origin (`MPI_Type_create_hindexed`, MPI 4.1
    /// §5.1.2).
    ///
    /// # Errors
    /// A displacement is not one of whole elements, or the layout would reach farther than memory does.
    #[doc(alias = "MPI_Type_create_hindexed")]
    pub fn hindexed(&self, blocks: &[(usize, isize)]) -> Result<Self> {
        let pieces = blocks.iter().map(|&(count, at)| (count, at, self));
        Self::placed(&"MPI_Type_create_hindexed", pieces)
    }

    /// Blocks of `count` copies each, at `displacements` in bytes (`MPI_Type_create_hindexed_block`, MPI 4.1 §5.1.2).
    ///
    /// # Errors
    /// A displacement is not one of whole elements, or the layout would reach farther than memory does.
    #[doc(alias = "MPI_Type_create_hindexed_block")]
    pub fn hindexed_block(&self, count: usize, displacements: &[isize]) -> Result<Self> {
        let pieces = displacements.iter().map(|&at| (count, at, self));
        Self::placed(&"MPI_Type_create_hindexed_block", pieces)
    }

    /// Parts `(count, displacement, layout)`: so many copies of a layout, so many bytes from the origin
    /// (`MPI_Type_create_struct`, MPI 4.1 §5.1.2). For a struct of several types derive [`Datatype`].
    ///
    /// # Errors
    /// A displacement is not one of whole elements, or the layout would reach farther than memory does.
    #[doc(alias = "MPI_Type_create_struct")]
    pub fn structure(parts: &[(usize, isize, &Layout<T>)]) -> Result<Self> {
        Self::placed(&"MPI_Type_create_struct", parts.iter().copied())
    }

    fn placed<'a>(call: Call, parts: impl Iterator<Item = (usize, isize, &'a Layout<T>)>) -> Result<Self> {
        let pieces = parts.map(|(count, at, of)| Ok((Self::whole(call, at)?, count, of.node().clone())));
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        Self::made(call, Node::pieces(pieces.into_iter(), size_of::<T>()))
    }
}
