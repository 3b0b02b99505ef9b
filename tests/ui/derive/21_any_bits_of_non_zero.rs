//@ expect E0277
//@ fix s/std::num::NonZero<u8>/u8/
//! Zero may arrive.
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct S { a: std::num::NonZero<u8> }
fn main() { let _ = |s: S| s.a; }
