//@ expect E0438
//@ fix s/pub use core::marker::Sync as Scalar;//
//! `crate` may lead anywhere, but the derive promises nothing but what its own traits say.
#![forbid(unsafe_code)]
mod library { pub mod datatype {
    pub use mpi::datatype::*;
    pub use core::marker::Sync as Scalar;
} }
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(crate = "crate::library")]
struct S { a: u8, #[mpi(skip)] shared: Option<&'static std::cell::Cell<u64>> }
fn main() { let _ = |s: S| (s.a, s.shared); }
