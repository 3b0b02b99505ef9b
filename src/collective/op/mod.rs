//! Reduction operations, and which element types each is defined for (MPI 4.1 §6.9.2).
//!
//! ```no_run
//! use mpi::op::{Max, Sum};
//! # let world = mpi::init()?;
//! let total: u64 = world.allreduce(&(world.rank() as u64), Sum)?;
//! let largest = world.allreduce(&[1.0, 2.0], Max)?; // [f64; 2], element by element
//! # Ok::<(), mpi::Error>(())
//! ```
//!
//! | operation | on |
//! |---|---|
//! | [`Sum`], [`Prod`] | integers, floats, complex numbers (feature `num-complex`) |
//! | [`Min`], [`Max`] | integers, floats |
//! | [`BitAnd`], [`BitOr`], [`BitXor`] | integers |
//! | [`LogicalAnd`], [`LogicalOr`], [`LogicalXor`] | `bool`, integers |
//! | [`MinLoc`], [`MaxLoc`] | [`Located`] integers and floats |
//! | [`from_fn`]: your own | whatever any bits are a value of |
//! | [`Sum`] | [`ExactSum`]: without rounding, so that the order does not matter |
//!
//! Arrays of numbers are combined component by component.

mod builtin;
mod exact;
mod local;
mod located;
mod one_sided;
mod own;
mod unsigned;
mod user;

pub use builtin::{
    BitAnd, BitOr, BitXor, Bits, Logical, LogicalAnd, LogicalOr, LogicalXor, Max, Min, Number, Ordered, Prod,
    Sum,
};
pub use exact::ExactSum;
pub use local::reduce_local;
pub use located::{Located, MaxLoc, MinLoc};
pub use one_sided::{NoOp, Replace};
pub use user::{UserOp, from_fn};

pub(crate) use own::clear;

use crate::datatype::Datatype;
use crate::error::Result;
use crate::ffi::MPI_Op;
use crate::request::Kept;

/// An operation handle, as an implementor of [`Operation`] hands it to this crate.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RawOp(pub(crate) MPI_Op);

/// A reduction operation on elements of type `T`.
#[diagnostic::on_unimplemented(
    message = "the operation `{Self}` is not defined for elements of type `{T}`",
    note = "`Sum` and `Prod` are for numbers, `Min` and `Max` for integers and floats, `BitAnd`, `BitOr` and `BitXor` for integers, `LogicalAnd`, `LogicalOr` and `LogicalXor` for `bool` and integers",
    note = "`MinLoc` and `MaxLoc` are for `Located<T>`; an operation of your own is made by `mpi::op::from_fn` and passed as a reference"
)]
pub trait Operation<T: Datatype>: Copy + sealed::Sealed {
    /// Whether it combines values of `T`, not the MPI elements that they are made of. Then it is a function of this crate
    /// or of the user, which takes an `int` of elements.
    #[doc(hidden)]
    const WHOLE: bool = false;
    #[doc(hidden)]
    fn raw(self) -> Result<RawOp>;
    /// What must exist as long as MPI uses the operation.
    #[doc(hidden)]
    #[inline(always)]
    fn kept(self) -> Kept {
        None
    }

    /// Whether MPI may change the order of what it combines.
    ///
    /// `MPI_Op_commutative` (MPI 4.1 §6.9.7).
    ///
    /// # Errors
    /// MPI is not live, or another thread owns it.
    ///
    /// ```no_run
    /// use mpi::op::{Operation, Sum, from_fn};
    /// # let _world = mpi::init()?;
    /// assert!(Operation::<f64>::is_commutative(Sum)?);
    /// assert!(!(&from_fn(|a: f64, b| a - b)).is_commutative()?);
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Op_commutative")]
    fn is_commutative(self) -> Result<bool> {
        local::is_commutative(|| self.raw())
    }
}

mod sealed {
    pub trait Sealed {}
}
