//@ expect: `#[mpi(packed)]` means nothing here: there is `bytes` and `crate = "path"` on a type
//@ fix s/mpi(packed)/mpi(bytes)/
//! A misspelt attribute is named, with those that exist.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(packed)]
struct S { a: u8 }
fn main() { let _ = |s: S| s.a; }
