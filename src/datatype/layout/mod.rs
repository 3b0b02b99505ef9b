//! Layouts: which elements of a slice travel, and in which order.
//!
//! A [`Layout`] is a value that this crate computes by itself, in 128-bit arithmetic; MPI learns of it when it is first
//! used. Applied to a slice it is a buffer: [`Layout::of`], [`Layout::of_mut`].
//!
//! ```no_run
//! use mpi::datatype::Layout;
//! # let world = mpi::init()?;
//! let column = Layout::<f64>::element().vector(3, 1, 4)?; // a column of a matrix of 3 x 4
//! let matrix = [0.0; 12];
//! world.send(&column.of(&matrix)?, 1, 0)?; // the first
//! world.send(&column.of(&matrix[1..])?, 1, 0)?; // the second
//! # Ok::<(), mpi::Error>(())
//! ```
//!
//! | constructor | unit of distances |
//! |---|---|
//! | [`contiguous`](Layout::contiguous), [`vector`](Layout::vector), [`indexed`](Layout::indexed), [`indexed_block`](Layout::indexed_block) | extents of the layout that is repeated |
//! | [`hvector`](Layout::hvector), [`hindexed`](Layout::hindexed), [`hindexed_block`](Layout::hindexed_block), [`structure`](Layout::structure), [`resized`](Layout::resized) | bytes, in whole elements |
//! | [`subarray`](Layout::subarray), [`darray`](Layout::darray) | elements of the array |
//!
//! Standard: MPI 4.1, section 5.1 "Derived Datatypes".

mod array;
mod blocks;
mod commit;
mod node;
mod overlap;

pub use array::{Distribution, Order};
pub(super) use commit::{Ask, asked, clear, size};

use super::{Datatype, RawDatatype};
use crate::error::{Argument, Error, Result};
use crate::ffi::Call;
use commit::{Cached, Description, Element};
use node::{DEEPEST, Node, Refusal};
use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// Which elements of a slice of `T` travel, and in which order: MPI's derived datatypes as values.
///
/// Layouts are made of layouts, from [`element`](Layout::element) on. A clone shares MPI's type, [`dup`](Layout::dup) has
/// its own. It stays on its thread, as everything does that MPI has a handle of.
///
/// Distances may be negative. What a layout reaches is compared with the slice whenever it is applied to one. A layout
/// that names an element twice can be sent, and not be received into.
#[doc(alias = "MPI_Datatype")]
pub struct Layout<T> {
    shared: Rc<Shared>,
    element: PhantomData<fn() -> T>,
}

struct Shared {
    node: Rc<Node>,
    is_disjoint: OnceCell<bool>,
    cached: Rc<Cached>,
}

impl<T> Clone for Layout<T> {
    fn clone(&self) -> Self {
        Layout { shared: self.shared.clone(), element: PhantomData }
    }
}

impl<T: Datatype> Layout<T> {
    /// One element.
    pub fn element() -> Self {
        Self::from_node(Rc::new(Node::element()))
    }

    fn from_node(node: Rc<Node>) -> Self {
        let shared = Shared { node, is_disjoint: OnceCell::new(), cached: Rc::default() };
        Layout { shared: Rc::new(shared), element: PhantomData }
    }

    /// A layout of a tree that may have been refused.
    fn made(call: Call, node: Result<Rc<Node>, Refusal>) -> Result<Self> {
        match node {
            Ok(node) => Ok(Self::from_node(node)),
            Err(Refusal::Far) => {
                Err(Error::length(call, Argument::LayoutReach, size_of::<T>(), isize::MAX as usize / 2))
            }
            Err(Refusal::Deep) => {
                Err(Error::length(call, Argument::LayoutDepth, DEEPEST as usize + 1, DEEPEST.into()))
            }
        }
    }

    fn node(&self) -> &Rc<Node> {
        &self.shared.node
    }

    /// A distance in bytes as one in elements: none may be torn.
    fn whole(call: Call, bytes: isize) -> Result<i128> {
        let size = size_of::<T>() as isize;
        match (bytes, size) {
            (0, _) => Ok(0),
            (_, 1..) if bytes % size == 0 => Ok((bytes / size) as i128),
            _ => Err(Error::argument(call, Argument::LayoutBytes, bytes as i64, size as u64)),
        }
    }

    /// The same with other bounds, which say how far apart copies of it lie: `lower` bytes from the origin, `extent` bytes in
    /// all (`MPI_Type_create_resized`, MPI 4.1 §5.1.7).
    ///
    /// # Errors
    /// A number of bytes is not one of whole elements, or is farther than memory reaches.
    #[doc(alias = "MPI_Type_create_resized")]
    pub fn resized(&self, lower: isize, extent: usize) -> Result<Self> {
        const CALL: Call = &"MPI_Type_create_resized";
        let too_far = |_| Error::length(CALL, Argument::LayoutReach, size_of::<T>(), isize::MAX as usize / 2);
        let extent = Self::whole(CALL, isize::try_from(extent).map_err(too_far)?)?;
        let lower = Self::whole(CALL, lower)?;
        Self::made(CALL, Node::bounded(self.node(), lower, lower + extent, size_of::<T>()))
    }

    /// The same layout with a type of its own in MPI, for another name (`MPI_Type_dup`, MPI 4.1 §5.1.10). Where only the value
    /// is needed again, clone it.
    #[doc(alias = "MPI_Type_dup")]
    pub fn dup(&self) -> Self {
        Self::from_node(self.node().clone())
    }

    /// How many elements travel.
    pub fn len(&self) -> usize {
        self.node().len
    }

    /// Whether nothing travels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes these elements have (`MPI_Type_size`, MPI 4.1 §5.1.5; MPI counts no padding inside an element).
    #[doc(alias("MPI_Type_size", "MPI_Type_size_x"))]
    pub fn size(&self) -> usize {
        self.len().saturating_mul(size_of::<T>())
    }

    /// Lower bound and extent in bytes: copies lie one extent apart (`MPI_Type_get_extent`, MPI 4.1 §5.1.8).
    #[doc(alias("MPI_Type_get_extent", "MPI_Type_get_extent_x"))]
    pub fn extent(&self) -> (isize, isize) {
        (bytes::<T>(self.node().lower), bytes::<T>(self.node().extent()))
    }

    /// Where the first element begins, in bytes from the origin, and how many bytes it is from there to the end of the last
    /// (`MPI_Type_get_true_extent`, MPI 4.1 §5.1.8).
    #[doc(alias("MPI_Type_get_true_extent", "MPI_Type_get_true_extent_x"))]
    pub fn true_extent(&self) -> (isize, isize) {
        (bytes::<T>(self.node().first), bytes::<T>(self.node().spread()))
    }

    /// Where each element lies, in elements from the origin, in the order in which they travel.
    pub fn places(&self) -> Vec<isize> {
        let mut places = Vec::new();
        self.node().visit(0, &mut |start, len| places.extend((0..len).map(|i| start as isize + i as isize)));
        places
    }

    /// Whether no element is named twice, so that the layout can be received into.
    ///
    /// Computed when it is first asked; costs nothing where blocks lie one after the other, and otherwise as much as sorting
    /// the runs of elements.
    pub(crate) fn is_disjoint(&self) -> bool {
        T::UNITS == 0 || *self.shared.is_disjoint.get_or_init(|| overlap::is_disjoint(self.node()))
    }

    /// First and last place, in elements.
    pub(crate) fn reach(&self) -> (i64, i64) {
        (self.node().first, self.node().last)
    }

    /// Whether the elements follow one another in the slice, so that a count is all MPI needs.
    pub(crate) fn is_run(&self) -> bool {
        self.node().is_run
    }

    /// How MPI is told. MPI is live, on a thread that may use it.
    #[inline]
    pub(crate) fn description(&self) -> Result<Description> {
        self.shared.cached.get_or_make(self.node(), Element::of::<T>)
    }

    /// The type that is the layout's own; `None` where it needs none. MPI is live, on a thread that may use it.
    pub(crate) fn own_type(&self) -> Result<Option<RawDatatype>> {
        let needs_one = !self.is_run() && T::UNITS > 0;
        needs_one.then(|| self.description().map(|made| made.datatype)).transpose()
    }

    /// How MPI is told where no count and no part of a type may be larger than `limit`.
    #[doc(hidden)]
    pub fn described_within(&self, limit: i32) -> Result<Self> {
        let node = self.node().clone();
        let cached = commit::within(&node, Element::of::<T>, limit)?;
        let shared = Shared { node, is_disjoint: OnceCell::new(), cached };
        Ok(Layout { shared: Rc::new(shared), element: PhantomData })
    }
}

/// Elements in bytes. No overflow: `Node::measured` has looked.
fn bytes<T>(elements: i64) -> isize {
    elements as isize * size_of::<T>() as isize
}

impl<T> fmt::Debug for Layout<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = &self.shared.node;
        f.debug_struct("Layout")
            .field("element", &std::any::type_name::<T>())
            .field("len", &node.len)
            .field("extent", &(bytes::<T>(node.lower), bytes::<T>(node.extent())))
            .field("true_extent", &(bytes::<T>(node.first), bytes::<T>(node.spread())))
            .finish_non_exhaustive()
    }
}
