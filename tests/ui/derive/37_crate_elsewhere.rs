//@ expect E0433
//@ fix s/prelude::elsewhere/prelude::library/
//! A crate that re-exports this one says where.
mod prelude { pub use mpi as library; }
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
#[mpi(crate = "crate::prelude::elsewhere")]
struct S { a: u8, b: u32 }
fn main() { let _ = |s: S| (s.a, s.b); }
