//@ expect E0277
//@ fix s/\[char; 3\]/[u32; 3]/
//! Nor is every `u32` a `char`, in an array neither.
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct S { a: [char; 3] }
fn main() { let _ = |s: S| s.a; }
