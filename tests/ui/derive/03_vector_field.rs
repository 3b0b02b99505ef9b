//@ expect E0277 E0204
//@ fix s/Vec<u8>/[u8; 4]/
//! A vector is a pointer, and not `Copy`.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: Vec<u8> }
fn main() { let _ = |s: S| s.a; }
