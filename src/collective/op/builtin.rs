//! The operations that MPI has, and the element types that each is defined for (MPI 4.1 §6.9.2).

use super::unsigned::{self, Replacement};
use super::{Operation, RawOp, sealed};
use crate::datatype::Datatype;
use crate::error::Result;
use crate::ffi;

mod element {
    /// Nobody else says what an MPI operation is defined for: a wrong claim would reach the library.
    pub trait Element {}
    macro_rules! elements { ($($t:ty)+) => { $(impl Element for $t {})+ } }
    elements!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool);
    #[cfg(feature = "num-complex")]
    elements!(num_complex::Complex<f32> num_complex::Complex<f64>);
    impl<T: Element, const N: usize> Element for [T; N] {}
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $mpi:ident for $class:ident;)+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl<T: Datatype + $class> Operation<T> for $name {
            #[inline]
            fn raw(self) -> Result<RawOp> {
                operations!(@raw $class $mpi T)
            }
        }
    )+ };
    // Only the order of unsigned integers is wrong with any library.
    (@raw Ordered $mpi:ident $t:ident) => { unsigned::ordered(ffi::$mpi, $t::replacement()).map(RawOp) };
    (@raw $class:ident $mpi:ident $t:ident) => { Ok(RawOp(ffi::$mpi)) };
}

// Constants behind a type: no call, nothing unsafe.
operations! {
    /// The sum (`MPI_SUM`).
    #[doc(alias = "MPI_SUM")]
    Sum = MPI_SUM for Number;
    /// The product (`MPI_PROD`).
    #[doc(alias = "MPI_PROD")]
    Prod = MPI_PROD for Number;
    /// The smallest element (`MPI_MIN`).
    #[doc(alias = "MPI_MIN")]
    Min = MPI_MIN for Ordered;
    /// The largest element (`MPI_MAX`).
    #[doc(alias = "MPI_MAX")]
    Max = MPI_MAX for Ordered;
    /// Bitwise and (`MPI_BAND`).
    #[doc(alias = "MPI_BAND")]
    BitAnd = MPI_BAND for Bits;
    /// Bitwise or (`MPI_BOR`).
    #[doc(alias = "MPI_BOR")]
    BitOr = MPI_BOR for Bits;
    /// Bitwise exclusive or (`MPI_BXOR`).
    #[doc(alias = "MPI_BXOR")]
    BitXor = MPI_BXOR for Bits;
    /// Logical and: 1 or `true` if all elements are not 0 (`MPI_LAND`).
    #[doc(alias = "MPI_LAND")]
    LogicalAnd = MPI_LAND for Logical;
    /// Logical or: 1 or `true` if any element is not 0 (`MPI_LOR`).
    #[doc(alias = "MPI_LOR")]
    LogicalOr = MPI_LOR for Logical;
    /// Logical exclusive or: 1 or `true` if an odd number of elements is not 0 (`MPI_LXOR`).
    #[doc(alias = "MPI_LXOR")]
    LogicalXor = MPI_LXOR for Logical;
}

macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident: $($t:ty)+;)+) => { $(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = "the standard does not define this operation for `{Self}`")]
        pub trait $class: element::Element {}
        $(impl $class for $t {})+
        impl<T: $class, const N: usize> $class for [T; N] {}
    )+ };
}

classes! {
    /// Types that can be multiplied, and added. Arrays of them are treated element by element.
    Number: i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    /// Types whose bits are meant.
    Bits: i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    /// Types that are true or false.
    Logical: i8 i16 i32 i64 isize u8 u16 u32 u64 usize bool;
}

#[cfg(feature = "num-complex")]
mod complex {
    use super::Number;
    use num_complex::Complex;
    impl Number for Complex<f32> {}
    impl Number for Complex<f64> {}
}

/// Types with a smallest and a largest value among several. Arrays of them are treated element by element.
#[diagnostic::on_unimplemented(message = "the standard does not define this operation for `{Self}`")]
pub trait Ordered: element::Element {
    /// What compares them where the library cannot.
    #[doc(hidden)]
    #[inline]
    fn replacement() -> Option<Replacement> {
        None
    }
}
macro_rules! ordered {
    (signed: $($signed:ty)+; unsigned: $($unsigned:ty)+;) => {
        $(impl Ordered for $signed {})+
        $(impl Ordered for $unsigned {
            #[inline]
            fn replacement() -> Option<Replacement> {
                Some(Replacement::of::<$unsigned>())
            }
        })+
    };
}
ordered! {
    signed: i8 i16 i32 i64 isize f32 f64;
    unsigned: u8 u16 u32 u64 usize;
}
impl<T: Ordered, const N: usize> Ordered for [T; N] {
    #[inline]
    fn replacement() -> Option<Replacement> {
        T::replacement()
    }
}
